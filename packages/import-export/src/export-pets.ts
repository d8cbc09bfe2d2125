import type { Pet } from '@petstore/contracts';
import { stringify } from 'lossless-json';
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

function toCell(pet: Pet, column: keyof Pet): string {
  return column === 'name' ? addFormulaPrefix(pet.name) : String(pet[column]);
}

function toNdjson(pets: readonly Pet[]): string {
  return pets.map((pet) => `${stringify(pet)}\n`).join('');
}
