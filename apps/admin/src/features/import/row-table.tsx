import { Box, Button, Group, SimpleGrid, Table, UnstyledButton } from '@mantine/core';
import { type NewPet, type PetStatus } from '@petstore/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { CategoryField } from '../../shared/category-field.js';
import { CellInput } from '../../shared/cell-input.js';
import { formatCount, headings } from '../../shared/format.js';
import { PetLink } from '../../shared/links.js';
import { CategoryName, PetName, StatusBadge } from '../../shared/pet-parts.js';
import classes from './import.module.css';
import type { CheckView, RowFilter, RowView, RunView } from './open-import.js';
import { importer } from './use-import.js';
import { StatusSelect } from './value-answers.js';

type Columns = CheckView['file']['settings']['columns'];

const rowsPerStep = 50;
const colors: Partial<Record<RowFilter, string>> = {
  existing: 'inherit',
  leftOut: 'inherit',
  ready: 'var(--available-text)',
  created: 'var(--available-text)',
  answer: 'var(--pending-text)',
  refused: 'var(--mantine-color-error)',
};

interface RowTableProps {
  view: CheckView | RunView;
  labels: Partial<Record<RowFilter, string>>;
  /** Above the rows that need an answer. They are a reason to show this part, even without rows. */
  answers?: ReactNode;
}

/** The rows of the file, in parts. The first part is one that needs the person. */
export function RowTable({ view, labels, answers }: RowTableProps) {
  const { counts, version, step } = view;
  const [chosen, setChosen] = useState<RowFilter>();
  const [shown, setShown] = useState(rowsPerStep);
  // An import that has begun has no questions.
  const filters = (Object.keys(labels) as RowFilter[]).filter((filter) => step === 'check' || counts[filter] > 0);
  const hasContent = (filter: RowFilter) => counts[filter] > 0 || (filter === 'answer' && Boolean(answers));
  const needed = filters.find((filter) => filter !== 'ready' && hasContent(filter)) ?? 'ready';
  const filter = chosen && hasContent(chosen) ? chosen : needed;
  const { data: rows = [] } = useQuery({
    queryKey: ['import-rows', version, filter, shown],
    queryFn: () => importer().rows(filter, shown),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const choose = (next: RowFilter) => {
    setChosen(next);
    setShown(rowsPerStep);
  };
  return (
    <>
      <SimpleGrid minColWidth="min(9rem, 45%)" autoFlow="auto-fit" spacing="0.5rem" role="group" aria-label="Rows">
        {filters.map((one) => (
          <UnstyledButton
            key={one}
            className={classes.tile}
            aria-pressed={one === filter}
            aria-disabled={!hasContent(one)}
            onClick={() => hasContent(one) && choose(one)}
          >
            <Box component="b" fz="xl" c={(counts[one] > 0 && colors[one]) || 'dimmed'}>
              {formatCount(counts[one])}
            </Box>{' '}
            <Box className="note">{labels[one]}</Box>
          </UnstyledButton>
        ))}
      </SimpleGrid>
      {filter === 'answer' && answers}
      {rows.length > 0 && <Rows rows={rows} columns={step === 'check' ? view.file.settings.columns : undefined} />}
      {counts[filter] > shown && (
        <Group className="compact">
          <Button variant="default" onClick={() => setShown(shown + rowsPerStep)}>
            Show more
          </Button>
          <span className="note">{`${formatCount(shown)} of ${formatCount(counts[filter])} rows`}</span>
        </Group>
      )}
    </>
  );
}

interface RowsProps {
  rows: readonly RowView[];
  /** Those of the file. Without them, no row can be corrected. */
  columns: Columns | undefined;
}

function Rows({ rows, columns }: RowsProps) {
  const [corrected, setCorrected] = useState<number>();
  return (
    <Table verticalSpacing="xs" layout="fixed" style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="3.5rem">Row</Table.Th>
          <Table.Th>Animal</Table.Th>
          <Table.Th w={{ base: '33%', sm: '38%' }}>Result</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.row}>
            <Table.Td c="dimmed">{formatCount(row.row)}</Table.Td>
            {row.row === corrected ? (
              <Table.Td colSpan={2}>
                <CorrectionForm row={row} columns={columns ?? []} onClose={() => setCorrected(undefined)} />
              </Table.Td>
            ) : (
              <>
                <Table.Td>
                  <Group className={classes.animal} gap="0 0.75rem">
                    <Cell row={row} field="name" />
                    <Cell row={row} field="categoryId" />
                    <Cell row={row} field="status" />
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Result row={row} onCorrect={columns ? () => setCorrected(row.row) : undefined} />
                </Table.Td>
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Result({ row, onCorrect }: { row: RowView; onCorrect: (() => void) | undefined }) {
  const { petId, reason, categoryId } = row;
  return (
    <Group justify="space-between" gap="0 0.75rem">
      {reason && <span className="note">{reason}</span>}
      {petId !== undefined && <PetLink id={petId} preload={false}>{`Number ${petId}`}</PetLink>}
      {onCorrect && categoryId === undefined && (
        <Button variant="subtle" size="compact-sm" px={0} aria-label={`Correct row ${row.row}`} onClick={onCorrect}>
          Correct
        </Button>
      )}
    </Group>
  );
}

function Cell({ row: { cells, wrong, categoryId }, field }: { row: RowView; field: keyof NewPet }) {
  const text = cells[field];
  if (wrong.includes(field)) {
    return (
      <Box component="mark" c="var(--mantine-color-error)" bg="none" td="underline wavy">
        {text.trim() === '' ? 'empty' : text}
      </Box>
    );
  }
  if (field === 'name')
    return (
      <b>
        <PetName name={text} />
      </b>
    );
  if (categoryId === undefined) return <bdi className="note">{text}</bdi>;
  return (
    <span className="note">
      {field === 'status' ? <StatusBadge status={text as PetStatus} /> : <CategoryName id={categoryId} />}
    </span>
  );
}

interface CorrectionFormProps {
  row: RowView;
  columns: Columns;
  onClose: () => void;
}

/** The fields of the animal that the file has. Other cells stay as they are. */
function CorrectionForm({ row: { row, cells, wrong }, columns, onClose }: CorrectionFormProps) {
  const [values, setValues] = useState(cells);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    onClose();
    void importer().correct(row, values);
  };
  const first = wrong[0] ?? 'name';
  const propsOf = (field: keyof NewPet) => ({
    label: headings[field],
    value: values[field],
    error: wrong.includes(field),
    flex: '1 1 9rem',
    miw: 0,
    // The person has just asked for it.
    autoFocus: field === first,
  });
  const change = (field: keyof NewPet) => (value: string) => setValues((earlier) => ({ ...earlier, [field]: value }));
  return (
    <Group component="form" gap="sm" align="end" onSubmit={save}>
      <CellInput {...propsOf('name')} onChange={({ currentTarget }) => change('name')(currentTarget.value)} />
      <CategoryField {...propsOf('categoryId')} description="" onChange={change('categoryId')} />
      {columns.includes('status') && <StatusSelect {...propsOf('status')} onChange={change('status')} />}
      <Button type="submit">Check again</Button>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
    </Group>
  );
}
