import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/**
 * Puts the focus on the heading of a page that was gone to, and of the next part of a list: what had it is gone, and
 * the browser would put it on the body.
 */
export function useFocusOnNavigation(): void {
  const place = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation && placeOf(resolvedLocation) });
  const before = useRef<string>(undefined);
  useEffect(() => {
    // Where the page is scrolled to is the router's to say: one who comes back is where one was.
    if (before.current !== undefined && before.current !== place)
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    before.current = place;
  }, [place]);
}

function placeOf({ pathname, search }: { pathname: string; search: { after?: string | undefined } }): string {
  return `${pathname} ${search.after ?? ''}`;
}
