import { csvLine, type Pet, stringifyJson } from '@petstore/contracts';
import { addFormulaPrefix, categoryNameColumn, petColumns } from './pet-columns.js';

/** CSV (RFC 4180) with a header row, or NDJSON: one JSON object per line. */
export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** For people, who open the file in a spreadsheet. */
export interface CsvOptions {
  /** `;` for languages that write decimals with a comma. */
  delimiter?: string | undefined;
  /** Adds a column with the name of the category. An import ignores it. */
  categoryNames?: ReadonlyMap<bigint, string> | undefined;
}

const newline = '\r\n';

/** The text of an exported file, page by page. `pages` are those of `PetstoreClient.listPets`. */
export async function* exportPets(
  pages: AsyncIterable<{ pets: readonly Pet[] }>,
  format: ExportFormat,
  options: CsvOptions = {},
): AsyncGenerator<string, void> {
  const { delimiter, categoryNames } = options;
  const columns = petColumns.flatMap((column) =>
    column === 'categoryId' && categoryNames ? [column, categoryNameColumn] : [column],
  );
  if (format === 'csv') yield csvLine(columns, delimiter) + newline;
  const toText = format === 'csv' ? (pet: Pet) => toCsv(pet, options) : toNdjson;
  for await (const { pets } of pages) if (pets.length > 0) yield pets.map(toText).join('');
}

function toCsv(pet: Pet, { delimiter, categoryNames }: CsvOptions): string {
  const cells = petColumns.flatMap((column) => {
    const cell = toCell(pet, column);
    if (column !== 'categoryId' || !categoryNames) return cell;
    return [cell, addFormulaPrefix(categoryNames.get(pet.categoryId) ?? '')];
  });
  return csvLine(cells, delimiter) + newline;
}

/** The cell of an omitted field is empty. */
function toCell(pet: Partial<Pet>, column: keyof Pet): string {
  const value = pet[column] ?? '';
  return typeof value === 'string' ? addFormulaPrefix(value) : String(value);
}

function toNdjson(pet: Pet): string {
  return `${stringifyJson(pet)}\n`;
}
