import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { file, newCategory, run } from './support/command.js';
import { storedNames } from './support/store.js';

/** A CSV file whose names are these bytes. */
function fileWith(name: string, names: readonly string[], categoryId: bigint): string {
  const lines = names.map((bytes) => `${bytes};${categoryId}\r\n`);
  return file(name, Buffer.from(`name;categoryId\r\n${lines.join('')}`, 'latin1'));
}

describe('a file that is not UTF-8', () => {
  it('is read in the encoding that the command guesses and prints, or in a chosen one', async () => {
    const categoryId = newCategory();
    const name = fileWith('guessed.csv', ['J\x9frgen', 'Andr\x8e', 'Rex'], categoryId);
    const { stderr, code } = await run(['import', name]);
    const note = `The file is not UTF-8. Assuming macintosh: "Jürgen", "André". If this is wrong, choose another with --encoding.\n`;
    expect([code, stderr]).toEqual([0, note]);
    expect(await storedNames(categoryId)).toEqual(['André', 'Jürgen', 'Rex']);
    const chosen = newCategory();
    const other = fileWith('chosen.csv', ['J\x81rgen'], chosen);
    expect(await run(['import', other, '--encoding', 'ibm850'])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(chosen)).toEqual(['Jürgen']);
  });

  it('cannot be read with an unknown --encoding, and the allowed ones are named', async () => {
    const { stderr, code } = await run(['import', fileWith('unknown.csv', ['Rex'], 7n), '--encoding', 'ebcdic']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are utf-8,')]);
  });
});

it.for<[string, Uint8Array | string, string]>([
  [
    'animals.csv.gz',
    gzipSync('name,categoryId\nRex,7\n'),
    'compressed by gzip (.gz), not CSV or NDJSON. Unpack it first.',
  ],
  ['renamed.csv', '%PDF-1.4\n', 'a PDF, not CSV or NDJSON. Ask for the list as CSV.'],
])('A file of another format is named: %s', async ([name, content, message]) => {
  const stderr = `Error: ${name} is ${message}\n`;
  for (const flags of [[], ['--columns', 'name=a'], ['--dry-run']]) {
    expect(await run(['import', file(name, content), ...flags])).toEqual({ stdout: '', stderr, code: 1 });
  }
  const input = { stdout: '', stderr: `Error: The input is ${message}\n`, code: 1 };
  expect(await run(['import', '-'], { input: content })).toEqual(input);
});
