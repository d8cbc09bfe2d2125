import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { focusFindField, openFindField } from '../shared/focus.js';
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
  return [
    ...(canAdd === false ? [] : [{ label: 'Add animal', run: () => void navigate({ to: '/pets/new' }) }]),
    { label: 'Animals', run: () => void navigate({ to: '/' }) },
    { label: 'Overview', run: () => void navigate({ to: '/overview' }) },
    ...(canAdd === false ? [] : [{ label: 'Import animals', run: () => void navigate({ to: '/import' }) }]),
    { label: 'Export animals', run: () => void navigate({ to: '/export' }) },
    { label: 'Print labels', run: () => void navigate({ to: '/labels' }) },
    { label: 'Scan a label', run: onScan },
    { label: 'Guide', run: () => void navigate({ to: '/guide' }) },
    { label: 'Keyboard shortcuts', key: '?', run: onHelp },
  ];
}

/** Handles Ctrl-K everywhere, and `/`, `?` and digits outside text fields. Letters are no shortcuts: a scanner types them. */
export function useShortcuts(commands: readonly Command[]): void {
  const actions: Partial<Record<string, () => void>> = {
    '/': openFindField,
    ...Object.fromEntries(commands.flatMap(({ key, run }) => (key ? [[key, run]] : []))),
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isSearchKey(event)) {
      event.preventDefault();
      return openFindField();
    }
    if (isHandledElsewhere(event)) return;
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

/** Also in text fields. */
function isSearchKey({ ctrlKey, metaKey, altKey, shiftKey, key, code }: KeyboardEvent): boolean {
  // On a keyboard with other letters, the place of the key counts.
  const letter = /^\p{Script=Latin}$/u.test(key) ? key.toLowerCase() : code.replace('Key', '').toLowerCase();
  const isK = letter === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
  return isK && document.querySelector(overlays) === null;
}

/** Allows Shift, because "/" is Shift+7 on some keyboards. */
function isHandledElsewhere({ ctrlKey, metaKey, altKey, defaultPrevented, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  return (target instanceof Element && target.matches(textFields)) || document.querySelector(overlays) !== null;
}
