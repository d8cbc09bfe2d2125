import { type Pet, stringifyJson } from '@petstore/contracts';
import Papa from 'papaparse';
import { addFormulaPrefix } from './formula-prefix.js';
import { petColumns } from './pet-columns.js';

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const newline = '\r\n';

/** The text of an exported file, page by page. `pages` are those of `PetstoreClient.listPets`. */
export async function* exportPets(
  pages: AsyncIterable<{ pets: readonly Pet[] }>,
  format: ExportFormat,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield petColumns.join(',') + newline;
  for await (const { pets } of pages) {
    if (pets.length > 0) yield format === 'csv' ? toCsv(pets) : toNdjson(pets);
  }
}

function toCsv(pets: readonly Pet[]): string {
  const records = pets.map((pet) => petColumns.map((column) => toCell(pet, column)));
  return Papa.unparse(records, { newline }) + newline;
}

/** The cell of an omitted field is empty. */
function toCell(pet: Partial<Pet>, column: keyof Pet): string {
  const value = pet[column] ?? '';
  return typeof value === 'string' ? addFormulaPrefix(value) : String(value);
}

function toNdjson(pets: readonly Pet[]): string {
  return pets.map((pet) => `${stringifyJson(pet)}\n`).join('');
}
