import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csvOf, file, folder, newCategory, run } from './support/command.js';
import { createPets, storedNames, storedPets } from './support/store.js';

function jsonLines(text: string): unknown[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
}

describe('import', () => {
  it('creates the animals of a file, and writes no other file', async () => {
    const categoryId = newCategory();
    const name = file('once.csv', csvOf(categoryId, ['Rex', 'Bella', 'Rex']));
    const files = readdirSync(folder);
    const { stdout, stderr, code } = await run(['import', name]);
    expect(stdout).toMatch(/^Created: 3 \(ids \d+ to \d+\)\nRepeated in the file, not skipped: 1\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Bella', 'Rex', 'Rex']);
    expect(readdirSync(folder)).toEqual(files);
  });

  it.for<[string, (categoryId: bigint) => string]>([
    ['NDJSON', (categoryId) => `{"name":"Rex","categoryId":${categoryId},"status":"sold"}`],
    ['cells of a spreadsheet', (categoryId) => `\uFEFFname\tcategoryId\tstatus\r\nRex\t${categoryId}\tSold`],
  ])('reads standard input: %s', async ([, contentOf]) => {
    const categoryId = newCategory();
    const input = contentOf(categoryId);
    expect(await run(['import', '-'], { input })).toMatchObject({ code: 0, stderr: '' });
    expect(await storedPets(categoryId)).toMatchObject([{ name: 'Rex', status: 'sold' }]);
    expect(await run(['import', '-'], { input })).toMatchObject({ code: 6 });
  });

  it('names each invalid row and creates nothing; --skip-invalid creates the others', async () => {
    const categoryId = newCategory();
    const notNumber = '`categoryId` must be a number, not “many”.';
    const rows = [
      [`Zoë,${categoryId}`],
      ['Rex', '`categoryId` is required.'],
      ['Rex,7,8', 'The row has 3 cells, but the file has 2 columns.'],
      ['"R\nex",many', `${notNumber} No names of categories are known.`],
      [`"5"" cage",${categoryId}`],
      [`Rex,${'9'.repeat(50)}`, `\`categoryId\` has too many digits: ${'9'.repeat(50)}.`],
    ];
    const name = file('invalid.csv', ['name,categoryId', ...rows.map(([row]) => row)].join('\n'));
    const faults = rows.flatMap(([, fault], index) => (fault ? [`Row ${index + 2}: invalid: ${fault}\n`] : []));
    const stdout = 'Valid rows: 2. Nothing was created.\nInvalid rows: 4\n';
    const refused = { stdout, stderr: faults.join(''), code: 3 };
    expect(await run(['import', name])).toEqual(refused);
    expect(await run(['import', name, '--dry-run'])).toEqual(refused);
    expect(await storedPets(categoryId)).toEqual([]);
    expect(await run(['import', name, '--skip-invalid'])).toMatchObject({ code: 3, stderr: faults.join('') });
    expect(await storedNames(categoryId)).toEqual(['5" cage', 'Zoë']);
  });

  it('prints a JSON object for each row and the summary', async () => {
    const categoryId = newCategory();
    const name = file('json.csv', csvOf(categoryId, ['Rex', '', 'Bella']));
    const args = ['import', name, '--skip-invalid', '--json'];
    const counts = { skipped: 0, existing: 0, repeated: 0, invalid: 1, rejected: 0, remaining: 0 };
    const summary = { type: 'summary', file: name, created: 2, ...counts, isComplete: true };
    const faults = [{ code: 'required', field: 'name' }];
    const invalid = { type: 'row', row: 3, state: 'invalid', reason: '`name` is required.', faults };
    const first = await run([...args, '--concurrency', '1']);
    const [rex, bella] = (await storedPets(categoryId)).map(({ id }) => Number(id));
    const rows = (state: string) => [
      { type: 'row', row: 2, state, id: rex },
      { type: 'row', row: 4, state, id: bella },
    ];
    expect(first.code).toBe(3);
    expect(jsonLines(first.stdout)).toEqual([invalid, ...rows('created'), summary]);
    const again = await run(args);
    const nothing = { ...summary, created: 0, existing: 2, isComplete: false, remaining: 2 };
    expect(again.code).toBe(6);
    expect(jsonLines(again.stdout)).toEqual([invalid, ...rows('existing'), nothing]);
    const skipped = await run([...args, '--skip-existing']);
    expect(jsonLines(skipped.stdout).at(-1)).toEqual({ ...nothing, skipped: 2, remaining: 0, isComplete: true });
  });

  it('needs a valid key before it reads the file', async () => {
    expect(await run(['import', 'missing.csv', '--key', 'another-key'])).toMatchObject({ code: 5 });
  });
});

describe('animals that the store has', () => {
  const message = (count: number, total: number) =>
    `Error: Already in the store: ${count} of ${total}. ` +
    'Leave them out with --skip-existing, or add them once more with --add-existing.\n';

  it('stop an import, unless a flag says what to do with them', async () => {
    const categoryId = newCategory();
    await createPets([{ name: 'Zoë', categoryId }]);
    const name = file('existing.csv', `name,categoryId\n zoe,${categoryId}\nRex,${categoryId}\n`);
    const stdout = 'Valid rows: 2. Nothing was created.\nAlready in the store: 1\n';
    const stopped = { stdout, stderr: message(1, 2), code: 6 };
    for (const flags of [[], ['--dry-run']]) expect(await run(['import', name, ...flags])).toEqual(stopped);
    const skipped = await run(['import', name, '--skip-existing']);
    expect(skipped).toMatchObject({ code: 0, stderr: '' });
    expect(skipped.stdout.replace(/ \(.*\)/, '')).toBe('Created: 1\nAlready in the store, skipped: 1\n');
    expect((await run(['import', name])).stderr).toBe(message(2, 2));
    expect(await run(['import', name, '--add-existing'])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Rex', 'Rex', 'Zoë', 'zoe'].toSorted());
  });
});
