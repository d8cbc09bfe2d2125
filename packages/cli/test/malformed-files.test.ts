import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { file, newCategory, run } from './support/command.js';
import { storedNames } from './support/store.js';

const header = 'name,categoryId\n';
const saveAgain = 'Save the file as CSV or NDJSON in UTF-8.';
const notUtf8 = `The line is not valid UTF-8. ${saveAgain}`;

/** Bad lines, and what the command reports about each. */
const badLines: [string | Uint8Array, string][] = [
  ['Rex', 'The number of columns is 1 instead of 2.'],
  ['Rex,7,8', 'The number of columns is 3 instead of 2.'],
  [`${'a'.repeat(5_000_000)},7`, 'The line is longer than 65536 bytes.'],
  ['R\0ex,7', `The line contains a NUL character. ${saveAgain}`],
  [
    `Rex,${'9'.repeat(50_000)}`,
    `\`categoryId\` must be an integer between -9223372036854775808 and 9223372036854775807, not ${'9'.repeat(80)}.`,
  ],
  ['"Rex"x"",7', 'The line has a misplaced quote.'],
  ['"Rex,7', 'The line has a quote that is not closed.'],
];

describe('malformed lines', () => {
  it('are named, and --skip-invalid imports the lines between them', async () => {
    const categoryId = newCategory();
    const parts = badLines.flatMap(([line], index) => [`Rex ${index},${categoryId}\n`, line, '\n']);
    const name = file('lines.csv', Buffer.concat([header, ...parts].map((part) => Buffer.from(part as Uint8Array))));
    const { stderr, code } = await run(['import', name, '--skip-invalid']);
    const reported = badLines.map(([, fault], index) => `Line ${3 + 2 * index}: invalid: ${fault}\n`);
    expect([code, stderr]).toEqual([3, reported.join('')]);
    expect(await storedNames(categoryId)).toEqual(badLines.map((_, index) => `Rex ${index}`));
  });
});

describe('a file', () => {
  it('that is not text is rejected at its first line', async () => {
    const name = file('animals.csv.gz', gzipSync(`${header}Rex,7\n`));
    expect(await run(['import', name])).toEqual({
      stdout: 'Valid lines: 0. Nothing was created.\nInvalid lines: 1\n',
      stderr: `Line 1: invalid: ${notUtf8}\n`,
      code: 3,
    });
  });

  it('may be in Windows-1252', async () => {
    const categoryId = newCategory();
    const name = file('windows.csv', Buffer.from(`${header}Zo\xeb \x80,${categoryId}`, 'latin1'));
    expect(await run(['import', name])).toMatchObject({ code: 0 });
    expect(await storedNames(categoryId)).toEqual(['Zoë €']);
  });
});
