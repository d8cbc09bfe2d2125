import { defaultPetStatus, type NewPet, newPetFields, petLimits, type PetStatus } from '@petstore/contracts';
import type { RefusedRow, RowAnimal } from '@petstore/import-export/check-rows.js';
import type { Comparison } from '@petstore/import-export/compare.js';
import { faultText, type FileWords } from '@petstore/import-export/faults.js';
import {
  importClientOptions,
  type Outcome,
  sendAnimals,
  type SendResult,
  usualOutageMs,
} from '@petstore/import-export/send-animals.js';
import { doubtfulCells, type Table } from '@petstore/table/table.js';
import { createClient } from '../../shared/client.js';
import { headings } from '../../shared/format.js';
import { type CheckedTable, isRefused, needsAnswer } from './check-table.js';
import { type ImportRecord, rowsOf } from './import-record.js';
import type { StoredImport } from './import-storage.js';

/** An import with its table in memory. */
export interface OpenImport {
  file: StoredImport;
  bytes: Uint8Array;
  table: Table;
  /** Whether a reload keeps the import. */
  isStored: boolean;
  /** Changes when the rows may be others. */
  version: number;
  checked?: CheckedTable | undefined;
  comparison?: Comparison | undefined;
  /** Whether the comparison is that of the checked animals. */
  isCompared: boolean;
  /** Whether the animals are compared once more, because the person has started the import. */
  isStarting?: boolean;
  comparedCount: number;
  run?: Run | undefined;
}

/** What the page shows of an import: small, because the worker has everything large. */
export type ImportView =
  | { step: 'loading' }
  /** `error`: why the file cannot be read. `awaited`: the name of the file of a stored import, which was too large to store. */
  | { step: 'choose'; error?: string | undefined; awaited?: string | undefined }
  | ReturnType<typeof viewOf>;
export type MatchView = Extract<ImportView, { step: 'match' }>;
export type CheckView = Extract<ImportView, { step: 'check' }>;
export type RunView = Extract<ImportView, { step: Run['step'] }>;

export function viewOf(open: OpenImport) {
  const { file, isStored, version, checked, run } = open;
  if (!checked) return { file, isStored, version, ...matchView(open) };
  const view = { file, isStored, version, counts: countRows(open) };
  return run ? { ...view, ...runView(run) } : { ...view, ...checkView(open, checked) };
}

const shownRows = 16;
const shownLength = 60;
const shownValues = 20;

function matchView({ file, table }: OpenImport) {
  const { format, sheet, sheets = [], hiddenRows = 0, encoding, rows } = table;
  const shorten = (cell: string) => (cell.length > shownLength ? `${cell.slice(0, shownLength)}…` : cell);
  return {
    step: 'match' as const,
    rows: rows.slice(0, shownRows).map(({ number, cells }) => ({ number, cells: cells.map(shorten) })),
    format,
    sheet,
    sheets,
    hiddenRows,
    encoding: file.reading.isPasted ? undefined : encoding,
    /** Cells that show whether the guessed encoding is right. */
    doubtful: doubtfulCells(table),
  };
}

function checkView(open: OpenImport, { values }: CheckedTable) {
  const { comparison, comparedCount, isStarting = false } = open;
  return {
    step: 'check' as const,
    values: values.slice(0, shownValues),
    moreValues: Math.max(0, values.length - shownValues),
    newNumbers: values.filter(({ isNew, by }) => isNew && by === undefined).length,
    isCompared: open.isCompared,
    isStarting,
    comparedCount,
    repeated: comparison?.repeated.length ?? 0,
    summary: summaryOf(animalsToSend(open)),
  };
}

const shownCategories = 3;

/** How many animals there are of each category, and of each status that is not the default. */
function summaryOf(animals: readonly NewPet[]) {
  const categories = new Map<bigint, number>();
  const statuses = new Map<PetStatus, number>();
  for (const { categoryId, status = defaultPetStatus } of animals) {
    categories.set(categoryId, (categories.get(categoryId) ?? 0) + 1);
    if (status !== defaultPetStatus) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return {
    total: animals.length,
    categories: [...categories].toSorted(([, a], [, b]) => b - a).slice(0, shownCategories),
    moreCategories: Math.max(0, categories.size - shownCategories),
    statuses: [...statuses],
  };
}

function runView({ step, animals, outcomes, wait, abort }: Run) {
  return { step, total: animals.length, done: outcomes.size, wait, isPausing: abort.signal.aborted };
}

export function animalsOf({ checked }: OpenImport): RowAnimal[] {
  return checked?.rows.filter((row): row is RowAnimal => !isRefused(row)) ?? [];
}

/** The animals of the person's choice. */
export function animalsToSend(open: OpenImport): RowAnimal[] {
  const leftOut = leftOutRows(open);
  return animalsOf(open).filter(({ row }) => !leftOut.has(row));
}

/** In ascending order. Until the person has said it, no animal is imported that the store has. */
export function leftOutRows({ file, comparison }: OpenImport): ReadonlySet<number> {
  if (file.record) return rowsOf(file.record.leftOut);
  const existing = file.existing === 'add' ? [] : (comparison?.existing ?? []);
  const repeated = file.leavesOutRepeated ? (comparison?.repeated ?? []) : [];
  return new Set([...existing.map(({ row }) => row), ...repeated].toSorted((a, b) => a - b));
}

/** The parts of the rows. The page shows one of them. */
const noRows = { ready: 0, answer: 0, refused: 0, existing: 0, created: 0, leftOut: 0 };
export type RowFilter = keyof typeof noRows;

function countRows(open: OpenImport): Record<RowFilter, number> {
  const counts = { ...noRows };
  const partOf = partReader(open);
  for (const row of open.checked?.rows ?? []) counts[partOf(row)] += 1;
  return counts;
}

function partReader(open: OpenImport): (row: RowAnimal | RefusedRow) => RowFilter {
  const { run, comparison } = open;
  const leftOut = leftOutRows(open);
  const existing = new Set(run ? [] : comparison?.existing.map(({ row }) => row));
  return (row) => {
    if (isRefused(row)) return !run && needsAnswer(row) ? 'answer' : 'refused';
    const outcome = run?.outcomes.get(row.row);
    if (outcome) return outcome.state === 'created' ? 'created' : 'refused';
    if (existing.has(row.row)) return 'existing';
    return leftOut.has(row.row) ? 'leftOut' : 'ready';
  };
}

/** What a person sees of a row. */
export interface RowView {
  row: number;
  /** The texts of the file. */
  cells: Record<keyof NewPet, string>;
  /** Of a valid animal. */
  categoryId?: bigint | undefined;
  /** Why the row is not imported, or what is special about it. */
  reason?: string | undefined;
  /** The cells with faults. */
  wrong: readonly (keyof NewPet)[];
  petId?: bigint | undefined;
}

/** The first rows of a part, or all of them. */
export function rowViews(open: OpenImport, filter: RowFilter, count?: number): RowView[] {
  const { checked, comparison, run, file } = open;
  const partOf = partReader(open);
  const ids = new Map(comparison?.existing.map(({ row, petId }) => [row, petId]));
  const repeated = new Set(comparison?.repeated);
  const rows = checked?.rows.filter((row) => partOf(row) === filter).slice(0, count) ?? [];
  return rows.map((row) => {
    if (isRefused(row)) return refusedRowView(row, file.settings.columns);
    const animal = { ...row, status: row.status ?? defaultPetStatus };
    const cells = cellsOf((field) => String(animal[field]));
    const view = { row: row.row, cells, categoryId: row.categoryId, wrong: [] };
    const outcome = run?.outcomes.get(row.row);
    if (outcome?.state === 'created') return { ...view, petId: outcome.petId };
    if (outcome) return { ...view, reason: `Petstore refused this row: ${outcome.reason}` };
    if (repeated.has(row.row)) return { ...view, reason: 'Same name and category as an earlier row.' };
    return { ...view, petId: ids.get(row.row) };
  });
}

/** The cells of a refused row with the values that a person has entered. Columns that are no field keep theirs. */
export function correctedCells(
  { checked, file }: OpenImport,
  row: number,
  values: Record<keyof NewPet, string>,
): string[] {
  const refused = checked?.rows.filter(isRefused).find((one) => one.row === row);
  return file.settings.columns.map((column, index) => {
    const field = newPetFields.find((one) => one === column);
    return field ? values[field] : (refused?.cells[index] ?? '');
  });
}

function refusedRowView({ row, cells, faults }: RefusedRow, columns: StoredImport['settings']['columns']): RowView {
  return {
    row,
    // A cell can have pages of text.
    cells: cellsOf((field) => cells[columns.indexOf(field)]?.slice(0, petLimits.nameMaxLength + 1) ?? ''),
    wrong: newPetFields.filter((field) => faults.some((fault) => fault.field === field)),
    reason: faultText(faults, words),
  };
}

function cellsOf(textOf: (field: keyof NewPet) => string): RowView['cells'] {
  return Object.fromEntries(newPetFields.map((field) => [field, textOf(field)])) as RowView['cells'];
}

const words: FileWords = { field: (field) => headings[field] };

/** A browser sends 6 requests at a time over HTTP/1.1. The rest fills the gaps between them. */
const concurrency = 16;

/** An import that has started. */
export interface Run {
  step: 'running' | 'paused' | 'done';
  animals: readonly RowAnimal[];
  /** By the number of the row. */
  outcomes: Map<number, Outcome>;
  /** Why no request starts: the service does not answer, or wants a pause of so many seconds. */
  wait?: 'outage' | number | undefined;
  abort: AbortController;
}

export function newRun(animals: readonly RowAnimal[]): Run {
  return { step: 'paused', animals, outcomes: new Map(), abort: new AbortController() };
}

/** Sends the animals without an answer. After a reload, these are all: the service answers those that it has again. */
export async function sendRun(run: Run, record: ImportRecord, key: string): Promise<SendResult> {
  const { animals, outcomes } = run;
  run.step = 'running';
  run.abort = new AbortController();
  const waiting = animals.filter(({ row }) => !outcomes.has(row));
  const result = await sendAnimals(waiting, {
    client: createClient(key, importClientOptions),
    keyOf: ({ row }) => `${record.importId}-${row}`,
    startedAt: record.startedAt,
    concurrency,
    maxOutageMs: usualOutageMs,
    signal: run.abort.signal,
    onWait: ({ seconds, status }) => (run.wait = status === 429 ? seconds : 'outage'),
    onOutcome: (outcome) => {
      run.wait = undefined;
      outcomes.set(outcome.row, outcome);
    },
  });
  run.step = result.isComplete ? 'done' : 'paused';
  run.wait = undefined;
  return result;
}
