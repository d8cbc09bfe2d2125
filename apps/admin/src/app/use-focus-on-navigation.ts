import { useRouterState } from '@tanstack/react-router';
import { createContext, use, useEffect, useRef } from 'react';

interface Place {
  pathname: string;
  search: { status?: string | undefined; limit?: number | undefined; after?: string | undefined };
}

/** Whether the page stands where somebody has just signed in: the form that had the focus is gone. */
export const FollowsSignIn = createContext(false);

/**
 * Puts the focus on the heading of a page that was gone to, and of the next part of a list; also when what had it is gone,
 * and the browser has put it on the body. What chose another list keeps it, to choose again.
 */
export function useFocusOnNavigation(): void {
  const place: Place | undefined = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation });
  const before = useRef<Place>(undefined);
  const followsSignIn = use(FollowsSignIn);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    const isGoneTo = before.current ? isLost || (place && isElsewhere(before.current, place)) : followsSignIn;
    // Where the page is scrolled to is the router's to say: one who comes back is where one was.
    if (place && isGoneTo) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    before.current = place;
  }, [place, followsSignIn]);
}

/** Another page, or another part of the same list. */
function isElsewhere(from: Place, to: Place): boolean {
  const isSameList = from.search.status === to.search.status && from.search.limit === to.search.limit;
  return from.pathname !== to.pathname || (isSameList && from.search.after !== to.search.after);
}
