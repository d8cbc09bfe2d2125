import { csvLine, type Pet, stringifyJson } from '@petstore/contracts';
import { addFormulaPrefix, petColumns } from './pet-columns.js';

/** CSV (RFC 4180) with a header row, or NDJSON: one JSON object per line. */
export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const newline = '\r\n';

/** The text of an exported file, page by page. `pages` are those of `PetstoreClient.listPets`. */
export async function* exportPets(
  pages: AsyncIterable<{ pets: readonly Pet[] }>,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield petColumns.join(',') + newline;
  const toText = format === 'csv' ? toCsv : toNdjson;
  for await (const { pets } of pages) if (pets.length > 0) yield pets.map(toText).join('');
}

function toCsv(pet: Pet): string {
  return csvLine(petColumns.map((column) => toCell(pet, column))) + newline;
}

/** The cell of an omitted field is empty. */
function toCell(pet: Partial<Pet>, column: keyof Pet): string {
  const value = pet[column] ?? '';
  return typeof value === 'string' ? addFormulaPrefix(value) : String(value);
}

function toNdjson(pet: Pet): string {
  return `${stringifyJson(pet)}\n`;
}
