import { VisuallyHidden } from '@mantine/core';
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** While one of these is open, it handles the keys. */
export const overlays = 'dialog[open], [role=dialog], [role=menu]';

/** Moves the focus to the heading of the page. */
export function focusHeading(options?: FocusOptions): void {
  document.querySelector<HTMLElement>('main h1')?.focus(options);
}

/** Moves the focus to the search field of the header. */
export function focusFindField(): void {
  const field = document.querySelector<HTMLInputElement>('#find');
  field?.focus();
  field?.select();
}

/** Also opens its list of pages and actions, as a click does. */
export function openFindField(): void {
  focusFindField();
  document.querySelector<HTMLInputElement>('#find')?.click();
}

/** Moves the focus to the page's heading if the element disappears while it contains the focus. */
export function useFocusFallback<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement)) focusHeading();
    };
  }, []);
  return ref;
}

const id = 'announcer';

/** Screen readers read the message aloud; the focus does not move. */
export function announce(message: string): void {
  const region = document.querySelector(`#${id}`);
  if (region) region.textContent = message;
}

let lastAdded: string | undefined;

/** Also keeps the message for an error page, which must not hide that animals were added. */
export function announceAdded(message: string): void {
  lastAdded = message;
  announce(message);
}

/** The last message about animals that this page has added. */
export function readLastAdded(): string | undefined {
  return lastAdded;
}

/** The live region. Screen readers ignore a message that appears together with its region. */
export function Announcer() {
  return <VisuallyHidden id={id} role="status" />;
}
