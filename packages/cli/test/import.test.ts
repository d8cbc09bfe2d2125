import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { csvOf, file, folder, newCategory, run } from './support/command.js';
import { storedNames, storedPets } from './support/store.js';

function jsonLines(text: string): unknown[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
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

  it('prints a JSON object for each line and the summary, also for a file that was imported before', async () => {
    const categoryId = newCategory();
    const args = ['import', file('json.csv', csvOf(categoryId, ['Rex', ''])), '--skip-invalid', '--json'];
    const invalid = {
      type: 'line',
      line: 3,
      state: 'invalid',
      reason: '`name` is required.',
      faults: [{ code: 'required', field: 'name' }],
    };
    const counts = { createdEarlier: 0, skipped: 0, invalid: 1, rejected: 0, unknown: 0, interrupted: 0 };
    const summary = { type: 'summary', file: 'json.csv', created: 1, ...counts, isComplete: true };
    const first = await run(args);
    const created = { type: 'line', line: 2, state: 'created', id: Number((await storedPets(categoryId))[0]?.id) };
    expect([first.stderr, first.code, jsonLines(first.stdout)]).toEqual(['', 3, [invalid, created, summary]]);
    expect(jsonLines((await run(args)).stdout)).toEqual([
      invalid,
      { ...created, isEarlier: true },
      {
        ...summary,
        created: 0,
        createdEarlier: 1,
        importedBefore: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
        journal: 'json.csv.journal',
      },
    ]);
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
});

describe('the journal', () => {
  const journalOf = (name: string) => join(folder, `${name}.journal`);

  it('rejects another service, and a file that has changed', async () => {
    const name = file('changed.csv', csvOf(newCategory(), ['Rex']));
    await run(['import', name]);
    const url = inject('serviceUrl').replace('127.0.0.1', 'localhost');
    const elsewhere = await run(['import', name, '--url', url]);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringMatching(/began with .*, not http:/)]);
    file('changed.csv', csvOf(newCategory(), ['Bella']));
    const { stderr, code } = await run(['import', name]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The file has changed since this import began.')]);
    expect(stderr).toContain('The journal is changed.csv.journal; delete it to start a new import.');
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

  it.for<[string, RegExp, string, string]>([
    ['API key', /"apiKeyId":"1"/g, '"apiKeyId":"9"', 'sent with API key 9'],
    ['day', /"at":\d+/g, `"at":${Date.now() - 23 * 3_600_000}`, 'sent at .*, more than 23 hours ago'],
  ])('shows lines without a result from another %s, and does not send them again', async (change) => {
    const [kind, pattern, replacement, reason] = change;
    const categoryId = newCategory();
    const name = file(`unknown-${kind}.csv`, csvOf(categoryId, ['Rex', 'Bella']));
    await run(['import', name]);
    const entries = readFileSync(journalOf(name), 'utf8').split('\n');
    const kept = entries.filter((entry) => !entry.includes('"created","line":3'));
    writeFileSync(journalOf(name), kept.join('\n').replaceAll(pattern, replacement));
    for (const _ of [1, 2]) {
      const { stdout, stderr, code } = await run(['import', name]);
      expect(stderr).toMatch(new RegExp(`^Line 3: unknown: ${reason}, and no response arrived\n$`));
      expect([code, stdout]).toEqual([3, expect.stringContaining('compare these lines with the store: 1')]);
    }
    expect(await storedPets(categoryId)).toHaveLength(2);
  });
});
