import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentation, file, folder, newCategory, run } from './support/command.js';
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
    expect(lines).toEqual([
      {
        type: 'line',
        line: 3,
        state: 'invalid',
        reason: '`name` is required.',
        faults: [{ code: 'required', field: 'name' }],
      },
      { type: 'line', line: 2, state: 'created', id: Number((await storedPets(categoryId))[0]?.id) },
      {
        type: 'summary',
        file: 'json.csv',
        created: 1,
        createdEarlier: 0,
        skipped: 0,
        invalid: 1,
        rejected: 0,
        unknown: 0,
        interrupted: 0,
        isComplete: true,
      },
    ]);
  });

  it('rejects a file that does not exist', async () => {
    const { stderr, code } = await run(['import', 'missing.csv']);
    expect([code, stderr]).toEqual([2, `Error: The file missing.csv does not exist.\n${documentation}`]);
  });

  it('needs a key with the scope write, before it checks the file', async () => {
    const name = file('key.csv', csvOf(7n, ['Rex']));
    expect(await run(['import', name, '--key', 'another-key'])).toMatchObject({ code: 5 });
    expect(existsSync(join(folder, `${name}.journal`))).toBe(false);
  });
});

describe('import --again', () => {
  it.for<[string, (categoryId: bigint) => string]>([
    ['a CSV file', (categoryId) => csvOf(categoryId, ['Rex', 'Bella'])],
    [
      'NDJSON',
      (categoryId) => `{"name":"Rex","categoryId":${categoryId}}\n{"name":"Bella","categoryId":${categoryId}}\n`,
    ],
    ['a single line', (categoryId) => `name;categoryId\nRex;${categoryId}`],
  ])('creates the animals of %s once more', async ([, contentOf]) => {
    const categoryId = newCategory();
    const input = contentOf(categoryId);
    expect(await run(['import', '-', '--again'], { input })).toMatchObject({ code: 0 });
    const count = (await storedPets(categoryId)).length;
    expect(await run(['import', '-'], { input })).toMatchObject({ code: 6 });
    expect(await storedPets(categoryId)).toHaveLength(count);
    expect(await run(['import', '-', '--again'], { input })).toMatchObject({ code: 0, stderr: '' });
    expect(await storedPets(categoryId)).toHaveLength(2 * count);
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

  it('reads the file anew, with the settings of its flags', async () => {
    const categoryId = newCategory();
    const name = file('anew.csv', `Tier,Kurzname,Kategorie\nRex,R,${categoryId}\n`);
    const flags = (column: string) => ['--columns', `name=${column},categoryId=Kategorie`, '--ignore-other-columns'];
    await run(['import', name, ...flags('Tier')]);
    expect(await run(['import', name, ...flags('Kurzname'), '--again'])).toMatchObject({ code: 0 });
    expect(await storedNames(categoryId)).toEqual(['R', 'Rex']);
  });

  it('is in the summary for programs', async () => {
    const name = file('summary.csv', csvOf(newCategory(), ['Rex']));
    await run(['import', name]);
    const { stdout } = await run(['import', name, '--json']);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      created: 0,
      createdEarlier: 1,
      importedBefore: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      journal: 'summary.csv.journal',
    });
  });
});

describe('the journal', () => {
  const journalOf = (name: string) => join(folder, `${name}.journal`);

  it('rejects a file that has changed', async () => {
    const name = file('changed.csv', csvOf(newCategory(), ['Rex']));
    await run(['import', name]);
    file('changed.csv', csvOf(newCategory(), ['Bella']));
    const { stderr, code } = await run(['import', name]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The file has changed since this import began.')]);
    expect(stderr).toContain('The journal is changed.csv.journal; delete it to start a new import.');
  });

  it('is not written into a file that is no journal', async () => {
    const content = csvOf(newCategory(), ['Rex']).trimEnd();
    const name = file('own.csv', content);
    expect(await run(['import', name, '--journal', name])).toEqual({
      stdout: '',
      stderr: `Error: own.csv is not a journal. Choose another file with --journal.\n${documentation}`,
      code: 2,
    });
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
  });

  it('cannot be a device, which has no end', async () => {
    const name = file('endless.csv', csvOf(newCategory(), ['Rex']));
    expect(await run(['import', name, '--journal', '/dev/zero'])).toEqual({
      stdout: '',
      stderr: `Error: The journal /dev/zero is a device or a pipe. Choose a file with --journal.\n${documentation}`,
      code: 2,
    });
  });

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
