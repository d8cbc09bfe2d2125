import { useRouterState } from '@tanstack/react-router';
import { createContext, use, useEffect, useRef } from 'react';
import type { ListSearch } from '../features/pets/list-search.js';

interface Place {
  pathname: string;
  search: Pick<ListSearch, 'status' | 'limit' | 'after'>;
}

/** Whether the person signed in on this page: the field that had the focus is gone. */
export const HasJustSignedIn = createContext(false);

/**
 * Moves the focus to the heading after navigation to another page, or when the focused element disappeared.
 * A status filter or page size keeps the focus.
 */
export function useFocusOnNavigation(): void {
  const place: Place | undefined = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation });
  const previous = useRef<Place>(undefined);
  const hasJustSignedIn = use(HasJustSignedIn);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    const isMoved = previous.current ? isLost || (place && isOtherPage(previous.current, place)) : hasJustSignedIn;
    // The router restores the scroll position.
    if (place && isMoved) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    previous.current = place;
  }, [place, hasJustSignedIn]);
}

function isOtherPage(from: Place, to: Place): boolean {
  const isSameList = from.search.status === to.search.status && from.search.limit === to.search.limit;
  return from.pathname !== to.pathname || (isSameList && from.search.after !== to.search.after);
}
