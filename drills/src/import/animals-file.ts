import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type NewPet, petStatuses } from '@petstore/contracts';
import { addFormulaPrefix } from '@petstore/import-export/pet-columns.js';
import { readRows } from '@petstore/import-export/rows.js';
import type { Tally } from '../tally.js';

/** Names that begin with these need a prefix in CSV. */
const starts = ['', '=', "'", '-'];
/** Above 2^53, where a number would be rounded. */
const firstCategory = 2n ** 53n + 1n;

/** The animal of a row, which counts from 0. */
function animal(row: number): NewPet {
  const name = `${starts[row % starts.length] ?? ''}Animal ${row}`;
  return {
    name,
    categoryId: firstCategory + BigInt(row % 50),
    status: petStatuses[row % petStatuses.length] ?? 'sold',
  };
}

/** Writes a CSV file with this many animals. */
export async function writeAnimals(file: string, rows: number): Promise<void> {
  const lines = function* linesOf() {
    yield 'name,categoryId,status\n';
    for (let row = 0; row < rows; row += 1) {
      const { name, categoryId, status } = animal(row);
      yield `${addFormulaPrefix(name)},${categoryId},${status}\n`;
    }
  };
  await pipeline(lines(), createWriteStream(file));
}

/** Compares an exported file with the animals: each must be in it exactly once, and no other. */
export async function compareAnimals(file: string, rows: number, tally: Tally): Promise<void> {
  const counts = new Uint8Array(rows);
  for await (const found of readRows(() => createReadStream(file))) {
    const row = 'pet' in found ? Number(/\d+$/.exec(found.pet.name)?.[0]) : Number.NaN;
    if ('pet' in found && row < rows && isSame(found.pet, animal(row))) counts[row] = (counts[row] ?? 0) + 1;
    else tally.expect(false, 'the export has a line that was not imported');
  }
  tally.acknowledged += rows;
  tally.lost += counts.filter((count) => count === 0).length;
  tally.duplicated += counts.filter((count) => count > 1).length;
}

function isSame(one: NewPet, other: NewPet): boolean {
  return one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;
}
