import { useRouterState } from '@tanstack/react-router';
import { createContext, use, useEffect, useRef } from 'react';
import { focusHeading } from '../shared/focus.js';

/** Whether the person signed in on this page: the field that had the focus is gone. */
export const HasJustSignedIn = createContext(false);

/**
 * Moves the focus to the heading after navigation to another page, or when the focused element disappeared. A link in a
 * `nav` of the page, such as "Next", keeps the focus, and so does a row or field that took it.
 */
export function useFocusOnNavigation(): void {
  const place = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation });
  const previous = useRef<string>(undefined);
  const hasJustSignedIn = use(HasJustSignedIn);
  useEffect(() => {
    if (!place) return;
    const isMoved = previous.current === undefined ? hasJustSignedIn : previous.current !== place.pathname;
    const isLost = previous.current !== undefined && document.activeElement === document.body;
    const isKept = document.activeElement?.matches('main nav *, main form *, main [data-row]') ?? false;
    // The router restores the scroll position.
    if (isLost || (isMoved && !isKept)) focusHeading({ preventScroll: true });
    previous.current = place.pathname;
  }, [place, hasJustSignedIn]);
}
