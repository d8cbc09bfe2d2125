import { ExplainedError, type Pet, petFields, stringifyJson } from '@petstore/contracts';
import { addFormulaPrefix } from '@petstore/table/formula-prefix.js';
import { tableLimits } from '@petstore/table/table.js';
import { writeXlsxStream } from 'hucre/xlsx';
import Papa from 'papaparse';
import { categoryNameColumn } from './pet-columns.js';

/** CSV (RFC 4180) with a header row, an Excel workbook, or NDJSON: one JSON object per line. */
export const exportFormats = ['csv', 'xlsx', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Adds a column with their names to a CSV or Excel file. An import ignores it. */
type CategoryNames = ReadonlyMap<bigint, string> | undefined;

/** Pages of a list. A `total` that is known shows early that the animals are too many for an Excel file. */
type Pages = AsyncIterable<{ pets: readonly Pet[]; total?: number | undefined }>;

export class TooManyForExcel extends ExplainedError {
  constructor() {
    const limit = tableLimits.excelRows.toLocaleString('en');
    super(`An Excel file can have at most ${limit} animals. Export them as CSV.`);
  }
}

/**
 * The parts of an exported file. The names of the animals are those of the store: CSV marks the ones that a spreadsheet could
 * run as a formula.
 * @throws TooManyForExcel
 */
export function exportPets(
  pages: Pages,
  format: ExportFormat,
  categoryNames?: CategoryNames,
): AsyncGenerator<string | Uint8Array<ArrayBuffer>, void> {
  if (format === 'xlsx') return toExcel(pages, categoryNames);
  return format === 'csv' ? toCsv(pages, categoryNames) : toNdjson(pages);
}

async function* toCsv(pages: Pages, categoryNames: CategoryNames): AsyncGenerator<string, void> {
  const toText = (rows: string[][]) => `${Papa.unparse(rows)}\r\n`;
  const columns = columnsOf(categoryNames);
  yield toText([columns]);
  for await (const { pets } of pages) {
    if (pets.length > 0) yield toText(pets.map((pet) => toCells(pet, columns, categoryNames, addFormulaPrefix)));
  }
}

async function* toNdjson(pages: Pages): AsyncGenerator<string, void> {
  for await (const { pets } of pages) if (pets.length > 0) yield pets.map((pet) => `${stringifyJson(pet)}\n`).join('');
}

/** In the unit of Excel: digits. */
const columnWidths: Record<string, number> = { name: 40, categoryName: 24 };

/** Every cell is a text: Excel would round a long number, and calculate a formula. */
async function* toExcel(pages: Pages, categoryNames: CategoryNames): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const columns = columnsOf(categoryNames);
  async function* rows() {
    let count = 0;
    for await (const { pets, total = 0 } of pages) {
      count += pets.length;
      if (Math.max(count, total) > tableLimits.excelRows) throw new TooManyForExcel();
      for (const pet of pets) yield toCells(pet, columns, categoryNames, toExcelText);
    }
  }
  const sheetColumns = columns.map((header) => ({
    header,
    width: columnWidths[header] ?? 14,
    numFmt: '@',
  }));
  const stream = writeXlsxStream(rows(), { name: 'Animals', columns: sheetColumns, freezePane: { rows: 1 } });
  // Safari does not iterate over a stream.
  const reader = (stream as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

/** Excel reads `_x0041_` as A. XML has no U+FFFE and U+FFFF. */
function toExcelText(text: string): string {
  return text
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll('\uFFFE', '_xFFFE_')
    .replaceAll('\uFFFF', '_xFFFF_');
}

function columnsOf(categoryNames: CategoryNames) {
  return petFields.flatMap((field) =>
    field === 'categoryId' && categoryNames ? [field, categoryNameColumn] : [field],
  );
}

type Columns = ReturnType<typeof columnsOf>;

function toCells(pet: Pet, columns: Columns, categoryNames: CategoryNames, toText: (text: string) => string): string[] {
  return columns.map((column) => {
    const value = column === categoryNameColumn ? (categoryNames?.get(pet.categoryId) ?? '') : pet[column];
    return typeof value === 'string' ? toText(value) : String(value ?? '');
  });
}
