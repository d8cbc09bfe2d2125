import { type Category, petFields, printable } from '@petstore/contracts';
import type { Layout, RowSettings } from '@petstore/import-export/check-rows.js';
import { readTable } from '@petstore/table/read-table.js';
import { doubtfulCells, type Table } from '@petstore/table/table.js';
import { UsageError } from '../errors.js';
import { chooseLayout, hasNames, type LayoutFlags } from './choose-layout.js';

/** The flags that say how to read a file. */
export interface ReadFlags extends LayoutFlags {
  encoding?: string;
  sheet?: string;
  hidden?: true;
}

/** The rows of a file, and what they mean. */
export interface FilePlan {
  table: Table;
  settings: RowSettings;
  /** What was guessed or left out. A person must see it. */
  notes: string[];
  /** Whether the store has a category. In a store without names, every number may be meant. */
  isKnown: (categoryId: bigint) => boolean;
}

/**
 * Reads a file as the flags say.
 * @throws UsageError or CommandError if they do not fit the file, TableError if it is not a table
 */
export async function readPlan(
  bytes: Uint8Array,
  flags: ReadFlags,
  categories: readonly Category[],
): Promise<FilePlan> {
  const { encoding, sheet, hidden: includeHidden } = flags;
  const isHeader = (cells: readonly string[]) => hasNames(cells, flags);
  const table = await readTable(bytes, { encoding, sheet, includeHidden, isHeader, fields: petFields });
  if (table.sheets && table.sheets.length > 1 && sheet === undefined) {
    const names = table.sheets.map((name) => `"${printable(name)}"`).join(', ');
    throw new UsageError(`The file has several sheets: ${names}. Choose one with --sheet.`);
  }
  const layout = chooseLayout(table, flags);
  const notes = [describeEncoding(table), describeHidden(table), describeTitles(table, layout)];
  const hasNoNames = categories.every(({ name }) => name === null);
  return {
    table,
    settings: { ...layout, categories: categories.map(({ id, name }) => ({ id: String(id), name })) },
    notes: notes.filter((note) => note !== undefined),
    isKnown: (categoryId) => hasNoNames || categories.some(({ id }) => id === categoryId),
  };
}

function describeHidden({ hiddenRows = 0 }: Table): string | undefined {
  if (hiddenRows === 0) return undefined;
  if (hiddenRows === 1) return '1 hidden row was left out. To read it, add --hidden.';
  return `${hiddenRows.toLocaleString('en')} hidden rows were left out. To read them, add --hidden.`;
}

function describeTitles({ rows }: Table, { titleRows }: Layout): string | undefined {
  if (titleRows === 0) return undefined;
  return `Row ${rows[titleRows]?.number} has the names of the columns. The rows above it were left out.`;
}

function describeEncoding(table: Table): string | undefined {
  if (!table.isGuess) return undefined;
  const shown = doubtfulCells(table).map((cell) => `"${printable(cell.slice(0, 40))}"`);
  const assumption = `The file is not UTF-8. Assuming ${[table.encoding, shown.join(', ')].filter(Boolean).join(': ')}.`;
  return `${assumption} If this is wrong, choose another with --encoding.`;
}
