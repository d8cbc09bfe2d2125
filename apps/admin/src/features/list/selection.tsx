import { Button, Group } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { Pet } from '@petstore/contracts';
import { createStore, useSelector } from '@tanstack/react-store';
import { overlays, useFocusFallback } from '../../shared/focus.js';
import { formatCount } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { currentSession, onSessionChange } from '../../shared/session.js';
import classes from './list.module.css';

type Selection = ReadonlySet<bigint>;

interface SelectionState {
  /** It stays while the person opens other pages. Absent unless the person selects. */
  selection?: Selection;
  /** The animal whose box was pressed last: Shift selects from here. */
  lastId?: bigint;
}

const store = createStore<SelectionState>({});

onSessionChange(() => {
  if (!currentSession()) endSelection();
});
addEventListener('afterprint', endSelection);

function endSelection(): void {
  store.setState(() => ({}));
}

/** Shows the checkboxes of all rows. */
export function startSelection(): void {
  store.setState(({ selection = new Set() }) => ({ selection }));
}

/** Selects the animal or ends that. As a range, it does the same from the animal before up to this one. */
export function selectRow(pets: readonly Pet[], id: bigint, isRange: boolean): void {
  const { selection, lastId = id } = store.state;
  const ids = pets.map((pet) => pet.id);
  const from = isRange ? ids.indexOf(lastId) : -1;
  const to = ids.indexOf(id);
  const range = from === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  select(range, !selection?.has(id), id);
}

function select(ids: readonly bigint[], isSelected: boolean, lastId?: bigint): void {
  const selection = new Set(store.state.selection);
  for (const id of ids) {
    if (isSelected) selection.add(id);
    else selection.delete(id);
  }
  store.setState(() => (selection.size === 0 ? {} : { selection, ...(lastId !== undefined && { lastId }) }));
}

function useSelection(): Selection | undefined {
  return useSelector(store, ({ selection }) => selection);
}

/** Unlike `useSelection`, it does not render again when one more animal is selected. */
export function useIsSelecting(): boolean {
  return useSelector(store, ({ selection }) => selection !== undefined);
}

/** At the start of a row. The arrow keys lead to the row, in which Space does the same. */
export function PetCheckbox({ pet: { id, name }, pets }: { pet: Pet; pets: readonly Pet[] }) {
  const isSelected = useSelector(store, ({ selection }) => selection?.has(id) ?? false);
  return (
    <label className="check">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        tabIndex={-1}
        checked={isSelected}
        onChange={({ nativeEvent }) => selectRow(pets, id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}

/** In the heading of the table. `pets` is empty while they load. */
export function PageCheckbox({ pets }: { pets: readonly Pet[] }) {
  const selection = useSelection();
  const count = pets.filter(({ id }) => selection?.has(id)).length;
  const isAll = count > 0 && count === pets.length;
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isAll}
        disabled={pets.length === 0}
        ref={(input) => {
          if (input) input.indeterminate = count > 0 && !isAll;
        }}
        onChange={() =>
          select(
            pets.map(({ id }) => id),
            !isAll,
          )
        }
      />
      <span>All on this page</span>
    </label>
  );
}

export function SelectionBar() {
  const selection = useSelection();
  return selection && <OpenSelectionBar selection={selection} />;
}

/** While one of these is open, or in a text field, Escape has another meaning. */
const hasOwnEscape = `${overlays}, input:not([type=checkbox]):focus`;

function OpenSelectionBar({ selection }: { selection: Selection }) {
  const ref = useFocusFallback<HTMLDivElement>();
  const endByKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && !document.querySelector(hasOwnEscape)) endSelection();
  };
  // The capture phase comes before an open menu or dialog closes.
  useWindowEvent('keydown', endByKey, true);
  return (
    <Group
      component="section"
      ref={ref}
      gap="sm"
      justify="center"
      w="fit-content"
      mx="auto"
      my="sm"
      fz="sm"
      className={`compact panel ${classes.selection}`}
      aria-label="Selection"
    >
      <span role="status">
        {selection.size === 0 ? 'Select the animals.' : `${formatCount(selection.size)} selected`}
      </span>
      {selection.size > 0 && (
        <ButtonLink to="/labels" search={{ numbers: numbersText(selection) }} leftSection={<PrinterIcon />}>
          Print labels
        </ButtonLink>
      )}
      <Button variant="subtle" onClick={endSelection}>
        Cancel
      </Button>
    </Group>
  );
}

/** Labels are printed in this order. */
function numbersText(selection: Selection): string {
  return [...selection].toSorted((a, b) => (a < b ? -1 : 1)).join(', ');
}
