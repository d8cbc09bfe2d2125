import { type NewPet, newPetFields } from '@petstore/contracts';
import type { CellFault, Table, TableRow } from '@petstore/table/table.js';
import { type Fault, fault } from './faults.js';
import { categoryLookup, type CellValue, type ColumnChoice, type PlainCategory, readCell } from './pet-columns.js';

/** Where the animals of a table begin, and what its columns mean. */
export interface Layout {
  /** The number of rows above the table, such as a title. They are skipped. */
  titleRows: number;
  /** Whether the first row below them has the names of the columns. */
  hasHeader: boolean;
  columns: ColumnChoice;
}

/** What the rows of a table mean. Plain data, because a record stores it: a continued import reads the rows in the same way. */
export interface RowSettings extends Layout {
  /** The categories of the store. A cell may have the name of one instead of its number. */
  categories: readonly PlainCategory[];
  /**
   * The numbers of the categories that are known to be meant. Without it, any number is. Others are faults, which a person
   * answers: 22 is often a mistyped 2.
   */
  knownCategories?: readonly string[] | undefined;
  /** Values that replace those of cells, by `valueKey`. */
  replacements?: readonly Replacement[] | undefined;
  /** Cells that replace those of a row, by its number. */
  corrections?: Readonly<Record<number, readonly string[]>> | undefined;
}

/** What a value of a column means. */
export interface Replacement {
  field: keyof NewPet;
  value: string;
  /** The number of a category, or a status. */
  by: string;
}

/** An animal of a table. */
export interface RowAnimal extends NewPet {
  /** The number of its row. */
  row: number;
}

/** A row without a valid animal, and why. */
export interface RefusedRow {
  row: number;
  faults: readonly Fault[];
  cells: readonly string[];
}

/** The rows with animals, and the names of the columns, if there are any. */
export function bodyOf(
  { rows }: Table,
  { titleRows, hasHeader }: Layout,
): { header?: TableRow; body: readonly TableRow[] } {
  const [header, ...body] = rows.slice(titleRows);
  if (!header) return { body: [] };
  return hasHeader ? { header, body } : { body: [header, ...body] };
}

/** Checks the rows of a table, with the rules of the service. In the order of the table. */
export function* checkRows(table: Table, settings: RowSettings): Generator<RowAnimal | RefusedRow, void> {
  const read = cellReader(settings);
  for (const row of bodyOf(table, settings).body) {
    const corrected = settings.corrections?.[row.number];
    // A person can empty a row.
    if (corrected?.every((cell) => cell.trim() === '')) continue;
    yield checkRow(corrected ? { number: row.number, cells: corrected } : row, settings.columns, read);
  }
}

/** Missing cells at the end are empty. */
function checkRow(row: TableRow, columns: ColumnChoice, read: CellReader): RowAnimal | RefusedRow {
  const { number, cells, cellFaults } = row;
  const refuse = (faults: readonly Fault[]) => ({ row: number, faults, cells });
  if (row.fault) return refuse([fault(row.fault.code, { value: row.fault.value })]);
  if (cells.length > columns.length) {
    return refuse([fault('cellCount', { value: String(cells.length), expected: columns.length })]);
  }
  const animal: Partial<Record<keyof NewPet, unknown>> & { row: number } = { row: number };
  const faults: Fault[] = [];
  for (const field of newPetFields) {
    const index = columns.indexOf(field);
    const text = cells[index] ?? '';
    const cell = read(field, text, cellFaults?.[index]);
    if ('fault' in cell) {
      const { fault: code, ...details } = cell;
      faults.push(fault(code, { field, ...(code !== 'required' && { value: text }), ...details }));
    } else if (cell.value !== undefined) animal[field] = cell.value;
  }
  return faults.length > 0 ? refuse(faults) : (animal as unknown as RowAnimal);
}

type CellReader = (field: keyof NewPet, text: string, cellFault: CellFault | undefined) => CellValue;

function cellReader({ categories, knownCategories, replacements }: RowSettings): CellReader {
  const lookup = categories.some(({ name }) => name !== null) ? categoryLookup(categories) : undefined;
  const known = knownCategories && new Set(knownCategories);
  const answers = new Map(replacements?.map(({ field, value, by }) => [valueKey(field, value), by]));
  return (field, text, cellFault) => {
    const by = answers.get(valueKey(field, text));
    if (by !== undefined) return readCell[field](by, undefined);
    // The number of a category does not depend on its format.
    if (cellFault && (field === 'name' || cellFault !== 'formattedNumber')) return { fault: cellFault };
    const cell = readCell[field](text, lookup);
    const isNew = field === 'categoryId' && 'value' in cell && known?.has(String(cell.value)) === false;
    return isNew ? { fault: 'newCategory' } : cell;
  };
}

/** The same for values that differ only in case and outer spaces. */
export function valueKey(field: keyof NewPet, value: string): string {
  return `${field} ${value.trim().toLowerCase()}`;
}
