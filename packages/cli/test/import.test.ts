import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { file, folder, newCategory, run } from './support/command.js';
import { storedNames, storedPets } from './support/store.js';

function csvOf(categoryId: bigint, names: readonly string[]): string {
  return ['name,categoryId', ...names.map((name) => `${name},${categoryId}`), ''].join('\n');
}

/** The output of an import that an earlier run has finished. */
function importedBefore(journal: string, count: number): string {
  return expect.stringMatching(
    new RegExp(
      `^Imported before, on \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d; nothing created\\.\nCreated by earlier runs: ${count}\n` +
        `To import it once more, use --again\\. The journal is ${journal}\\.\n$`,
    ),
  ) as string;
}

describe('import', () => {
  it('creates the animals of a file, and a second run creates nothing', async () => {
    const categoryId = newCategory();
    const name = file('once.csv', csvOf(categoryId, ['Rex', 'Bella']));
    const first = await run(['import', name]);
    expect(first).toEqual({
      stdout: expect.stringMatching(/^Created: 2 \(ids \d+ to \d+\)\n$/) as string,
      stderr: '',
      code: 0,
    });
    expect(await run(['import', name])).toEqual({
      stdout: importedBefore('once.csv.journal', 2),
      stderr: '',
      code: 6,
    });
    expect(await storedNames(categoryId)).toEqual(['Bella', 'Rex']);
  });

  it('reads standard input, and finds its journal when the same content comes again', async () => {
    const categoryId = newCategory();
    const input = `{"name":"Rex","categoryId":${categoryId},"status":"sold"}\n`;
    expect((await run(['import', '-'], { input })).stdout).toMatch(/^Created: 1 /);
    const journal = join(folder, '.local/state/petstore/import-[0-9a-f]{32}.journal');
    expect((await run(['import', '-'], { input })).stdout).toEqual(importedBefore(journal, 1));
    expect(await storedPets(categoryId)).toMatchObject([{ name: 'Rex', status: 'sold' }]);
  });

  it('names each invalid line and creates nothing', async () => {
    const categoryId = newCategory();
    const name = file('invalid.csv', `${csvOf(categoryId, ['Rex', ''])}"Max,7\n`);
    expect(await run(['import', name])).toEqual({
      stdout: 'Valid lines: 1. Nothing was created.\nInvalid lines: 2\n',
      stderr:
        'Line 3: invalid: `name` is required.\nLine 4: invalid: The line has a quotation mark that is not closed.\n',
      code: 3,
    });
    for (const variables of [{}, { PETSTORE_URL: 'http://127.0.0.1:9', PETSTORE_API_KEY: 'key' }]) {
      expect(await run(['import', name, '--dry-run'], { variables })).toMatchObject({ code: 3 });
    }
    expect(await storedPets(categoryId)).toEqual([]);
  });

  it('prints a JSON object for each line and the summary', async () => {
    const categoryId = newCategory();
    const name = file('json.csv', csvOf(categoryId, ['Rex', '']));
    const { stdout, stderr, code } = await run(['import', name, '--skip-invalid', '--json']);
    expect([stderr, code]).toEqual(['', 3]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const others = { createdEarlier: 0, skipped: 0, invalid: 1, rejected: 0, unknown: 0, interrupted: 0 };
    const faults = [{ code: 'required', field: 'name' }];
    expect(lines).toEqual([
      { type: 'line', line: 3, state: 'invalid', reason: '`name` is required.', faults },
      { type: 'line', line: 2, state: 'created', id: Number((await storedPets(categoryId))[0]?.id) },
      { type: 'summary', file: 'json.csv', created: 1, ...others, isComplete: true },
    ]);
    const again = await run(['import', name, '--skip-invalid', '--json']);
    expect(JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      createdEarlier: 1,
      importedBefore: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      journal: 'json.csv.journal',
    });
  });
});

describe('import --again', () => {
  it('creates the animals of a finished import once more', async () => {
    const categoryId = newCategory();
    const input = csvOf(categoryId, ['Rex', 'Bella']);
    for (const [flags, code, count] of [
      [['--again'], 0, 2],
      [[], 6, 2],
      [['--again'], 0, 4],
    ] as const) {
      expect(await run(['import', '-', ...flags], { input })).toMatchObject({ code });
      expect(await storedPets(categoryId)).toHaveLength(count);
    }
  });

  it('continues an import that is not finished', async () => {
    const categoryId = newCategory();
    const name = file('unfinished.csv', csvOf(categoryId, ['Rex', 'Bella']));
    await run(['import', name]);
    const journal = join(folder, `${name}.journal`);
    const entries = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, entries.filter((entry) => !entry.includes('"finished"')).join('\n'));
    expect(await run(['import', name, '--again'])).toMatchObject({
      stdout: 'Created: 0\nCreated by earlier runs: 2\n',
      code: 0,
    });
    expect(await storedPets(categoryId)).toHaveLength(2);
  });
});

describe('the journal', () => {
  const journalOf = (name: string) => join(folder, `${name}.journal`);

  it('is damaged if a line of it is not JSON', async () => {
    const name = file('damaged.csv', csvOf(newCategory(), ['Rex']));
    writeFileSync(journalOf(name), '{"format":"petstore import journal 1"\n');
    const { stderr, code } = await run(['import', name]);
    expect([code, stderr]).toEqual([
      1,
      'Error: The journal damaged.csv.journal is damaged at line 1. Restore it from a copy.\n',
    ]);
  });

  it('may end with half a line, as after a power cut', async () => {
    const categoryId = newCategory();
    const name = file('torn.csv', csvOf(categoryId, ['Rex', 'Bella']));
    await run(['import', name]);
    appendFileSync(journalOf(name), '{"type":"sending","line":9');
    expect(await run(['import', name])).toMatchObject({ stdout: importedBefore('torn.csv.journal', 2), code: 6 });
    expect(readFileSync(journalOf(name), 'utf8')).toMatch(/\}\n$/);
  });

  it('shows the lines whose result is unknown, and does not send them again', async () => {
    const categoryId = newCategory();
    const name = file('unknown.csv', csvOf(categoryId, ['Rex', 'Bella']));
    await run(['import', name]);
    const entries = readFileSync(journalOf(name), 'utf8').split('\n');
    const kept = entries.filter((entry) => !entry.includes('"created","line":3'));
    writeFileSync(journalOf(name), kept.join('\n').replaceAll('"apiKeyId":"1"', '"apiKeyId":"9"'));
    const { stdout, stderr, code } = await run(['import', name]);
    expect(stderr).toBe('Line 3: unknown: sent with API key 9, and no response arrived\n');
    expect([code, stdout]).toEqual([3, expect.stringContaining('compare these lines with the store: 1')]);
    expect(await storedPets(categoryId)).toHaveLength(2);
  });
});
