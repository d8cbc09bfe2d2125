import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { FindCommand } from '../features/find/find-filters.js';
import { focusFindField, openFindField, overlays } from '../shared/focus.js';
import { parseTypedPetId } from '../shared/pet-id.js';
import { isTextField, useScannedText } from '../shared/scanner.js';
import { useCanAdd } from '../shared/store-info.js';

export function useCommands({ onScan, onHelp }: { onScan: () => void; onHelp: () => void }): FindCommand[] {
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

const unlessCovered = (run: () => void) => () => {
  if (document.querySelector(overlays) === null) run();
};

const outsideFields =
  (run: () => void, keepsKey = false) =>
  (event: KeyboardEvent) => {
    if (isTextField(event.target) || document.querySelector(overlays) !== null) return;
    if (!keepsKey) event.preventDefault();
    run();
  };

/** A scan outside a text field opens its animal, and presses no button. */
export function useScans(): void {
  const navigate = useNavigate();
  useScannedText((text) => {
    const id = parseTypedPetId(text);
    if (id !== undefined) void navigate({ to: '/pets/$petId', params: { petId: String(id) } });
  });
}

/** Ctrl-K everywhere, and `/`, `?` and digits outside text fields. Letters are no shortcuts: a scanner types them. */
export function useShortcuts(onHelp: () => void): void {
  const open = unlessCovered(openFindField);
  // The browser then types the digit into the field: a scanner can type wherever the focus is.
  const focus = outsideFields(focusFindField, true);
  // On a keyboard with other letters, the place of the key counts. "/" and "?" need Shift on some keyboards.
  useHotkeys(
    [
      ['mod+K', open],
      ['mod+K', open, { usePhysicalKeys: true }],
    ],
    [],
  );
  const keys = {
    ...Object.fromEntries(Array.from('0123456789', (digit) => [digit, focus])),
    '/': outsideFields(openFindField),
    'shift+/': outsideFields(openFindField),
    '?': outsideFields(onHelp),
    'shift+?': outsideFields(onHelp),
  };
  useHotkeys(
    Object.entries(keys).map(([key, press]): HotkeyItem => [key, press, { preventDefault: false }]),
    [],
    true,
  );
}
