import { Alert, Button, Group, NativeSelect, SegmentedControl, Table } from '@mantine/core';
import { type Category, type NewPet, newPetFields } from '@petstore/contracts';
import type { Layout } from '@petstore/import-export/check-rows.js';
import { type ColumnChoice, requiredColumns } from '@petstore/import-export/pet-columns.js';
import type { ReadOptions } from '@petstore/table/table.js';
import { useState } from 'react';
import { ActionBar } from '../../shared/page.js';
import { formatCount, headings } from '../../shared/format.js';
import { checkRows, importer } from './use-import.js';
import type { MatchView } from './open-import.js';
import { StepPanel } from './step-panel.js';

interface MatchProps {
  view: MatchView;
  categories: readonly Category[];
}

export function MatchColumns({ view, categories }: MatchProps) {
  const { file, format, sheets, hiddenRows, doubtful } = view;
  const readAgain = (reading: ReadOptions) => void importer().readAgain(reading, categories);
  const layOut = (chosen: ChosenLayout) => void importer().layOut(chosen, categories);
  const missing = missingFor(view);
  return (
    <StepPanel
      title={`Match the columns of ${file.name}`}
      back={{ label: 'Choose another file', go: () => void importer().close() }}
      bar={
        <ActionBar note={missing ?? 'Nothing is imported yet.'}>
          <Button aria-disabled={missing !== undefined} onClick={() => missing === undefined && checkRows(categories)}>
            Check rows
          </Button>
        </ActionBar>
      }
    >
      {doubtful.length > 0 && (
        <Alert color="yellow" title="Is this right?">
          <p>
            The file does not say which characters it has. Some of its cells:{' '}
            <bdi translate="no">{doubtful.join(' · ')}</bdi>
          </p>
          <p>
            If letters look wrong, save the spreadsheet as “CSV UTF-8” or as an Excel workbook, and choose that file.
          </p>
        </Alert>
      )}
      {sheets.length > 1 && (
        <NativeSelect
          label="Sheet"
          maw="20rem"
          data={[...sheets]}
          value={view.sheet}
          onChange={({ currentTarget }) => readAgain({ sheet: currentTarget.value })}
        />
      )}
      {hiddenRows > 0 && (
        <p role="note">
          {hiddenRows === 1 ? '1 hidden row is' : `${formatCount(hiddenRows)} hidden rows are`} left out. To import{' '}
          {hiddenRows === 1 ? 'it, show it' : 'them, show them'} in the spreadsheet, save it, and choose it again.
        </p>
      )}
      {format !== 'ndjson' && <HeaderChoice view={view} layOut={layOut} />}
      <Preview view={view} />
      {format !== 'ndjson' && <RareChoices view={view} layOut={layOut} readAgain={readAgain} />}
    </StepPanel>
  );
}

function missingFor({ rows, file }: MatchView): string | undefined {
  const { columns, hasHeader, titleRows } = file.settings;
  const first = rows[titleRows];
  if (!first || (hasHeader && !rows[titleRows + 1])) {
    return 'The file has no animals. Add a row for each animal, and choose it again.';
  }
  if (hasHeader === undefined) return `Choose what row ${first.number} is.`;
  const isMatched = requiredColumns.every((column) => columns.includes(column));
  return isMatched ? undefined : 'Choose a column for the name, and one for the category.';
}

const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows (Western Europe)' },
  { value: 'utf-16le', label: 'UTF-16' },
  { value: 'utf-16be', label: 'UTF-16 (big endian)' },
];

/** Where the table begins, and what its first row is. */
type ChosenLayout = Partial<Omit<Layout, 'columns'>>;

interface LayoutProps {
  view: MatchView;
  layOut: (chosen: ChosenLayout) => void;
}

interface RareChoicesProps extends LayoutProps {
  readAgain: (reading: ReadOptions) => void;
}

/** Open if the file has needed one of them, or if the person asks. */
function RareChoices({ view: { encoding, file, rows }, layOut, readAgain }: RareChoicesProps) {
  const { titleRows } = file.settings;
  const [isUnusual] = useState(titleRows > 0 || (encoding !== undefined && encoding !== 'utf-8'));
  const starts = rows.slice(0, maxTitleRows + 1).map(({ number, cells }, index) => ({
    value: String(index),
    label: `${number}: ${cells.filter((cell) => cell !== '').join(' · ')}`,
  }));
  return (
    <details open={isUnusual}>
      <summary>Does the table look wrong?</summary>
      <Group gap="md" pt="xs">
        <NativeSelect
          label="The table starts at row"
          data={starts}
          value={String(titleRows)}
          onChange={({ currentTarget }) => layOut({ titleRows: Number(currentTarget.value) })}
        />
        {encoding && (
          <NativeSelect
            label="Characters"
            data={encodings}
            value={encoding}
            onChange={({ currentTarget }) => readAgain({ encoding: currentTarget.value })}
          />
        )}
      </Group>
    </details>
  );
}

const maxTitleRows = 9;
const headerChoices = [
  { value: 'names', label: 'Column names' },
  { value: 'animal', label: 'An animal' },
];

/** If it is not sure, a person has to say it: an animal must not be lost. */
function HeaderChoice({ view: { file, rows }, layOut }: LayoutProps) {
  const { titleRows, hasHeader } = file.settings;
  const row = rows[titleRows];
  if (!row) return null;
  const isUnsure = hasHeader === undefined;
  const choose = (value: string) => {
    // An animal above it may have only one cell.
    const animal = { hasHeader: false, titleRows: isUnsure ? 0 : titleRows };
    layOut(value === 'names' ? { hasHeader: true, titleRows } : animal);
  };
  // One element in both cases, because it has the focus.
  return (
    <Alert
      color="yellow"
      variant={isUnsure ? 'light' : 'transparent'}
      role={isUnsure ? 'alert' : 'group'}
      title={isUnsure && 'Is this an animal, or are these the names of the columns?'}
      {...(!isUnsure && { p: 0 })}
    >
      <Group gap="0.5rem 0.75rem" fz="md">
        {isUnsure ? <bdi translate="no">{row.cells.join(' · ')}</bdi> : <span>{`Row ${row.number} is`}</span>}
        <SegmentedControl
          aria-label={`Row ${row.number} is`}
          data={headerChoices}
          styles={{ label: { paddingInline: '0.375rem' } }}
          value={isUnsure ? '' : hasHeader ? 'names' : 'animal'}
          onChange={choose}
        />
      </Group>
    </Alert>
  );
}

type Choice = keyof NewPet | '';
const choices: { value: Choice; label: string }[] = [
  { value: '', label: "Don't import" },
  ...newPetFields.map((value) => ({ value, label: headings[value] })),
];
const previewRows = 5;

/** The first rows, with a choice above each column. */
function Preview({ view: { file, rows } }: { view: MatchView }) {
  const { titleRows, hasHeader, columns } = file.settings;
  const shown = rows.slice(titleRows, titleRows + previewRows + 1);
  const width = Math.max(columns.length, ...shown.map(({ cells }) => cells.length));
  const previews = Array.from({ length: width }, (_, index) => ({
    index,
    name: (hasHeader && shown[0]?.cells[index]) || `Column ${index + 1}`,
    field: newPetFields.find((field) => field === columns[index]),
  }));
  return (
    <Table.ScrollContainer minWidth={`${width * 9}rem`} type="native">
      <Table withTableBorder withColumnBorders verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {previews.map(({ index, name, field }) => (
              <Table.Th key={index} scope="col">
                <bdi translate="no">{name}</bdi>
                <NativeSelect
                  size="sm"
                  mt={4}
                  aria-label={name}
                  data={choices}
                  value={field ?? ''}
                  onChange={({ currentTarget: { value } }) =>
                    void importer().update({ settings: { columns: withColumn(columns, index, value as Choice) } })
                  }
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody translate="no">
          {shown.slice(hasHeader ? 1 : 0).map(({ number, cells }) => (
            <Table.Tr key={number}>
              {previews.map(({ index, field }) => (
                <Table.Td key={index} {...(!field && { c: 'dimmed' })}>
                  <bdi>{cells[index]}</bdi>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A field of an animal comes from one column: the last choice counts. */
function withColumn(columns: ColumnChoice, index: number, value: Choice): ColumnChoice {
  const chosen = value || undefined;
  const length = Math.max(columns.length, index + 1);
  return Array.from({ length }, (_, other) => {
    if (other === index) return chosen;
    return columns[other] === chosen ? undefined : columns[other];
  });
}
