import { Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { createStore, useSelector } from '@tanstack/react-store';
import { useFocusFallback } from '../../shared/focus.js';
import { formatCount } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { currentSession, onSessionChange } from '../../shared/session.js';
import classes from './list.module.css';
import rowClasses from './rows.module.css';

/** The numbers of the selected animals. */
export type Selection = ReadonlySet<bigint>;

/** It stays while the person opens other pages. `undefined` unless the person selects. */
const store = createStore<{ selection: Selection | undefined }>({ selection: undefined });

onSessionChange(() => {
  if (!currentSession()) setSelection(undefined);
});

/** `undefined` ends the selection. */
function setSelection(selection: Selection | undefined): void {
  store.setState(() => ({ selection }));
}

function select(ids: readonly bigint[], isSelected: boolean): void {
  const next = new Set(store.state.selection);
  for (const id of ids) {
    if (isSelected) next.add(id);
    else next.delete(id);
  }
  setSelection(next.size === 0 ? undefined : next);
}

function useSelection(): Selection | undefined {
  return useSelector(store, ({ selection }) => selection);
}

/** Unlike `useSelection`, these two do not render everything again when one more animal is selected. */
export function useIsSelecting(): boolean {
  return useSelector(store, ({ selection }) => selection !== undefined);
}

function useIsSelected(id: bigint): boolean {
  return useSelector(store, ({ selection }) => selection?.has(id) ?? false);
}

/** Shows the checkboxes of all rows. */
export function startSelection(): void {
  if (store.state.selection === undefined) setSelection(new Set());
}

/** At the start of a row. Once an animal is selected, it covers the whole row. */
export function PetCheckbox({ pet: { id, name } }: { pet: Pet }) {
  return (
    <label className={`check ${rowClasses.check}`}>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={useIsSelected(id)}
        onChange={({ currentTarget }) => select([id], currentTarget.checked)}
      />
    </label>
  );
}

/** `pets` are those of the visible page, `undefined` while it loads. */
export function SelectionBar({ pets }: { pets: readonly Pet[] | undefined }) {
  const selection = useSelection();
  return selection && <OpenSelectionBar selection={selection} ids={pets?.map(({ id }) => id) ?? []} />;
}

function OpenSelectionBar({ selection, ids }: { selection: Selection; ids: readonly bigint[] }) {
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Group
      component="section"
      ref={ref}
      gap="0.5rem 1.25rem"
      p="0.5rem 1rem"
      fz="sm"
      className={`panel ${classes.selection}`}
      aria-label="Selection"
    >
      <span role="status">
        {selection.size === 0 ? 'Select the animals that need labels.' : `${formatCount(selection.size)} selected`}
      </span>
      <label className="check">
        <input
          type="checkbox"
          checked={ids.length > 0 && ids.every((id) => selection.has(id))}
          onChange={({ currentTarget }) => select(ids, currentTarget.checked)}
        />
        All on this page
      </label>
      {selection.size > 0 && (
        <ButtonLink to="/labels" search={{ numbers: numbersText(selection) }} leftSection={<PrinterIcon />} size="sm">
          Print labels
        </ButtonLink>
      )}
      <Button variant="subtle" size="sm" ml="auto" onClick={() => setSelection(undefined)}>
        Cancel
      </Button>
    </Group>
  );
}

/** Labels are printed in this order. */
function numbersText(selection: Selection): string {
  return [...selection].toSorted((a, b) => (a < b ? -1 : 1)).join(', ');
}
