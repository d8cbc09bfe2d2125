import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { focusFindField } from '../shared/focus.js';

const textFields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
/** While one of these is open, it handles the keys. */
const overlays = 'dialog[open], [role=dialog], [role=menu]';

/** Handles shortcuts of one key, everywhere outside text fields. */
export function useShortcuts(onHelp: () => void): void {
  const [isOn] = useShortcutsSetting();
  const navigate = useNavigate();
  const actions: Partial<Record<string, () => void>> = {
    '/': focusFindField,
    c: () => void navigate({ to: '/pets/new' }),
    j: () => goToAnimal(1),
    k: () => goToAnimal(-1),
    '?': onHelp,
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isOn || isHandledElsewhere(event)) return;
    // The browser then types the digit into the field: a scanner can type wherever the focus is.
    if (/^\d$/.test(event.key)) return focusFindField();
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Allows Shift, because "/" is Shift+7 on some keyboards. */
function isHandledElsewhere({ ctrlKey, metaKey, altKey, defaultPrevented, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  return (target instanceof Element && target.matches(textFields)) || document.querySelector(overlays) !== null;
}

/** Moves the focus to the next or previous row of the list, or to the first one. From an animal, opens the next one. */
function goToAnimal(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  if (rows.length === 0)
    return document.querySelector<HTMLElement>(`main a[rel=${step === 1 ? 'next' : 'prev'}]`)?.click();
  const current = rows.findIndex((row) => row === document.activeElement);
  const next = current === -1 ? rows[0] : rows[current + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Whether single keys are shortcuts on this device. Speech input and shaky hands can trigger them by mistake. */
export function useShortcutsSetting() {
  return useLocalStorage({ key: 'petstore.shortcuts', defaultValue: true, getInitialValueInEffect: false });
}
