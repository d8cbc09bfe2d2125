import { Button, Group } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { foldName, petNameFault, trimName } from '@petstore/contracts';
import { guessColumn } from '@petstore/import-export/pet-columns.js';
import { readCsv } from '@petstore/table/read-csv.js';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { readTabState, writeTabState } from '../../shared/browser-storage.js';
import { readCategory } from '../../shared/category-input.js';
import { lineBreak } from '../../shared/cell-input.js';
import { parseLabelAddress } from '../../shared/pet-id.js';
import type { CategoryNames } from '../../shared/store-info.js';
import classes from './add.module.css';
import { Question } from './add-problem.js';
import type { Animal } from './create-pet.js';
import { maxCount, type PetDraft, toNewPets } from './pet-draft.js';

/** Several cells of a spreadsheet, or several lines, that were pasted into the name. */
export interface PastedCells {
  text: string;
  /** Those of one column, without its heading. */
  names?: readonly string[] | undefined;
  heading?: string | undefined;
  /** Whether the form can add the names. An import explains what is wrong with each row. */
  canAdd: boolean;
}

function readPastedCells(text: string): PastedCells {
  const rows = readRows(text);
  const column = rows.every(({ length }) => length === 1) ? rows.flat() : undefined;
  const [first = '', ...others] = column ?? [];
  const heading = others.length > 0 && guessColumn(first) === 'name' ? first : undefined;
  const names = heading === undefined ? column : others;
  const canAdd =
    names !== undefined &&
    names.length > 0 &&
    names.length <= maxCount &&
    names.every((name) => petNameFault(name) === undefined && parseLabelAddress(name) === undefined);
  return { text, names, heading, canAdd };
}

/** The cells that are not empty. */
function readRows(text: string): string[][] {
  const lines = text.split(lineBreak).join('\n');
  return readCsv(lines, { isPasted: true })
    .rows.map(({ cells }) => cells.map(trimName).filter((cell) => cell !== ''))
    .filter(({ length }) => length > 0);
}

const storageName = 'petstore.pasted';

/** The cells that this tab asked about before it was loaded. */
function readStoredCells(): PastedCells | undefined {
  const stored = readTabState<PastedCells>(storageName);
  return stored.text === undefined ? undefined : (stored as PastedCells);
}

interface PastedCellsOptions {
  form: UseFormReturnType<PetDraft>;
  focus: (field: string) => void;
  names: CategoryNames;
  add: (animals: readonly Animal[], onAdd: () => void) => void;
}

/** The cells that were pasted into the name, until the person has said what they are. */
export function usePastedCells({ form, focus, names, add }: PastedCellsOptions) {
  const navigate = useNavigate();
  const [cells, setCells] = useState(readStoredCells);
  const ask = (asked?: PastedCells) => {
    writeTabState(storageName, asked ?? {});
    setCells(asked);
  };
  const close = () => {
    focus('name');
    ask();
  };
  /** The animals of a column, once the form has a category for them. */
  const withAnimals = (act: (animals: Required<Animal>[]) => void) => {
    const draft = form.getValues();
    if (form.validateField('category').hasError) return focus('category');
    act(toNewPets(draft, readCategory(draft.category, names), cells?.names));
  };
  const openImport = (text: string) => {
    ask();
    void navigate({ to: '/import', state: { cells: text } });
  };
  return {
    cells,
    ask: (text: string) => ask(readPastedCells(text)),
    /** Asks about names that the person wants to change. */
    askAgain: (changed: readonly string[]) => ask({ text: changed.join('\n'), names: changed, canAdd: true }),
    onAdd: () => withAnimals((animals) => add(animals, close)),
    onImport: () => {
      if (cells?.names) withAnimals((animals) => openImport(tableOf(animals)));
      else if (cells) openImport(cells.text);
    },
    onCancel: close,
  };
}

/** As a spreadsheet copies them. */
function tableOf(animals: readonly Required<Animal>[]): string {
  const rows = animals.map(({ name, categoryId, status }) => [name, String(categoryId), status]);
  return [['name', 'category', 'status'], ...rows].map((row) => row.join('\t')).join('\n');
}

type PastedQuestionProps = Omit<ReturnType<typeof usePastedCells>, 'ask' | 'askAgain'>;

/** Cells never become the name of one animal. What the form has stays. */
export function PastedQuestion({ cells, onAdd, onImport, onCancel }: PastedQuestionProps) {
  if (!cells) return null;
  const { names, heading, canAdd } = cells;
  const isOneCell = names?.length === 1 && heading === undefined;
  return (
    <Question title={isOneCell ? 'This cell has several lines' : 'These are several cells'} takesFocus>
      {canAdd ? (
        <>
          <p>Check the names. Each animal gets the category and the status below.</p>
          {heading !== undefined && <p>{`The heading “${heading}” is not added.`}</p>}
          <RepeatedNames names={names ?? []} />
          <Names names={names ?? []} />
        </>
      ) : (
        <p>The field takes one name. An import adds an animal for each row.</p>
      )}
      <Group gap="sm">
        {canAdd && (
          <Button onClick={onAdd}>
            {names?.length === 1 ? 'Add this animal' : `Add these ${names?.length} animals`}
          </Button>
        )}
        <Button variant={canAdd ? 'default' : 'filled'} onClick={onImport}>
          Open as an import
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Question>
  );
}

/** A delivery may have several animals of one name. A person may also have copied a row twice. */
function RepeatedNames({ names }: { names: readonly string[] }) {
  const keys = names.map(foldName);
  const repeated = names.filter((_, index) => keys.indexOf(keys[index] ?? '') < index);
  if (repeated.length === 0) return null;
  return <p>{`More than once: ${[...new Set(repeated)].join(', ')}.`}</p>;
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <Group
      component="ul"
      gap={4}
      mb="sm"
      className={`note ${classes.litterNames} ${classes.checkedNames}`}
      aria-label="Names"
      // The keyboard scrolls it.
      tabIndex={0}
    >
      {names.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- A name may occur twice.
        <li key={index}>
          <bdi translate="no">{name}</bdi>
        </li>
      ))}
    </Group>
  );
}
