import { describe, expect, it } from 'vitest';
import { file, newCategory, run } from './support/command.js';
import { storedNames } from './support/store.js';

const header = 'name,categoryId\n';

/** Bad lines, and what the command reports about each. */
const badLines: [string | Uint8Array, string][] = [
  ['Rex', '`categoryId` is required.'],
  [
    'Rex,many',
    '`categoryId` must be a number, not “many”. The store has no names of categories, or the API key cannot read them.',
  ],
  ['Rex,7,8', 'The line has 3 cells, but the file has 2 columns.'],
  [`${'a'.repeat(5_000_000)},7`, 'The line is longer than 65536 bytes.'],
  ['R\0ex,7', 'The line has a character that cannot be stored. Save the file as CSV in UTF-8.'],
  [`Rex,${'9'.repeat(50_000)}`, `\`categoryId\` has too many digits: ${'9'.repeat(80)}.`],
  ['"Rex"x"",7', 'The line has a misplaced quotation mark. Write 5" cage as "5"" cage".'],
  ['5" cage,7', 'The line has a misplaced quotation mark. Write 5" cage as "5"" cage".'],
  ['R"ex,7', 'The line has a misplaced quotation mark. Write 5" cage as "5"" cage".'],
  [
    Buffer.from('R\xe9x,7', 'latin1'),
    'The line is not text in the encoding of the file. Choose the right one with --encoding, or save the file in UTF-8.',
  ],
  ['"Rex,7', 'The line has a quotation mark that is not closed.'],
];

describe('malformed lines', () => {
  it('are named, and --skip-invalid imports the lines between them', async () => {
    const categoryId = newCategory();
    const parts = badLines.flatMap(([line], index) => [`Zoë ${index},${categoryId}\n`, line, '\n']);
    const name = file('lines.csv', Buffer.concat([header, ...parts].map((part) => Buffer.from(part as Uint8Array))));
    const { stderr, code } = await run(['import', name, '--skip-invalid']);
    const reported = badLines.map(([, fault], index) => `Line ${3 + 2 * index}: invalid: ${fault}\n`);
    expect([code, stderr]).toEqual([3, reported.join('')]);
    expect(await storedNames(categoryId)).toEqual(badLines.map((_, index) => `Zoë ${index}`).toSorted());
  });
});
