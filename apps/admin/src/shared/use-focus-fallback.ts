import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Moves the focus to the page's heading if the element disappears while it contains the focus. */
export function useFocusFallback<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement)) document.querySelector<HTMLElement>('main h1')?.focus();
    };
  }, []);
  return ref;
}
