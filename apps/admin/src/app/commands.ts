import { useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { focusFindField, openFindField } from '../shared/focus.js';
import { todayMark } from '../shared/known-pets/visits.js';
import { useCanAdd } from '../shared/store-info.js';

const textFields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
/** While one of these is open, it handles the keys. */
const overlays = 'dialog[open], [role=dialog], [role=menu]';

/** A page or an action that the search field offers, and that may have a key. */
export interface Command {
  label: string;
  key?: string;
  run: () => void;
}

export function useCommands({ onScan, onHelp }: { onScan: () => void; onHelp: () => void }): Command[] {
  const navigate = useNavigate();
  const canAdd = useCanAdd();
  /** A device that has not looked at the store today has nothing to compare with. */
  const showNew = () => {
    const mark = todayMark();
    void (mark ? navigate({ to: '/pets', search: { since: mark.id } }) : navigate({ to: '/overview' }));
  };
  return [
    ...(canAdd === false ? [] : [{ label: 'Add animal', key: 'c', run: () => void navigate({ to: '/pets/new' }) }]),
    { label: 'Animals', run: () => void navigate({ to: '/' }) },
    { label: 'Overview', key: 'o', run: () => void navigate({ to: '/overview' }) },
    { label: 'New today', key: 'n', run: showNew },
    ...(canAdd === false ? [] : [{ label: 'Import animals', run: () => void navigate({ to: '/import' }) }]),
    { label: 'Export animals', run: () => void navigate({ to: '/export' }) },
    { label: 'Print labels', run: () => void navigate({ to: '/labels' }) },
    { label: 'Scan a label', run: onScan },
    { label: 'Guide', run: () => void navigate({ to: '/guide' }) },
    { label: 'Keyboard shortcuts', key: '?', run: onHelp },
  ];
}

/** Handles Ctrl-K everywhere, and shortcuts of one key outside text fields. */
export function useShortcuts(commands: readonly Command[]): void {
  const [isOn] = useShortcutsSetting();
  const actions: Partial<Record<string, () => void>> = {
    '/': openFindField,
    j: () => goToAnimal(1),
    k: () => goToAnimal(-1),
    ...Object.fromEntries(commands.flatMap(({ key, run }) => (key ? [[key, run]] : []))),
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isSearchKey(event)) {
      event.preventDefault();
      return openFindField();
    }
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

/** Also in text fields, and when shortcuts of one key are off. */
function isSearchKey({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean {
  const isK = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
  return isK && document.querySelector(overlays) === null;
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
