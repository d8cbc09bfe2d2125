import { type RefObject, useLayoutEffect, useRef } from 'react';

/** For what goes away while it has the focus: the heading of the page takes it, or else the body would. */
export function useFocusHeir<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement)) document.querySelector<HTMLElement>('main h1')?.focus();
    };
  }, []);
  return ref;
}
