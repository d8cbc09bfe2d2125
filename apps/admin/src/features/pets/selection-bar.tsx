import { Button } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { ButtonLink } from '../../shared/button-link.js';
import { formatCount } from '../../shared/format-count.js';
import { PrinterIcon } from '../../shared/icons.js';
import { useFocusFallback } from '../../shared/use-focus-fallback.js';
import { PetName } from './pet-name.js';
import { select, type Selection, setSelection, useIsSelected, useIsSelecting, useSelection } from './selection.js';
import classes from './selection.module.css';

export function SelectButton() {
  const isSelecting = useIsSelecting();
  return (
    <Button
      variant="subtle"
      size="sm"
      className={classes.button}
      aria-pressed={isSelecting}
      onClick={() => setSelection(isSelecting ? undefined : new Set())}
    >
      Select
    </Button>
  );
}

/** In place of the link to the animal. Covers the whole row. */
export function PetCheckbox({ pet: { id, name } }: { pet: Pet }) {
  return (
    <label className={classes.row}>
      <input
        type="checkbox"
        data-row
        checked={useIsSelected(id)}
        onChange={({ currentTarget }) => select([id], currentTarget.checked)}
      />
      <PetName name={name} />
    </label>
  );
}

/** `pets` are those of the visible page, `undefined` while it loads. */
export function SelectionBar({ pets }: { pets: readonly Pet[] | undefined }) {
  const selection = useSelection();
  return selection && <Bar selection={selection} ids={pets?.map(({ id }) => id) ?? []} />;
}

function Bar({ selection, ids }: { selection: Selection; ids: readonly bigint[] }) {
  const ref = useFocusFallback<HTMLElement>();
  return (
    <section ref={ref} aria-label="Selection" className={`panel ${classes.bar}`}>
      <span role="status">
        {selection.size === 0 ? 'Select the animals that need labels.' : `${formatCount(selection.size)} selected`}
      </span>
      <label>
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
      <Button variant="subtle" size="sm" onClick={() => setSelection(undefined)}>
        Cancel
      </Button>
    </section>
  );
}

/** Labels are printed in this order. */
function numbersText(selection: Selection): string {
  return [...selection].toSorted((a, b) => (a < b ? -1 : 1)).join(', ');
}
