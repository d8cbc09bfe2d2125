import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { trimName } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import { file, folder, newCategory, run } from './support/command.js';
import { createPets, storedNames } from './support/store.js';

const names = ['Rex', '=1+1', "'tis", '-7', 'a, "b"', 'two\r\nlines', 'Zoë 🐕'];

describe('export', () => {
  it.for(['csv', 'XLSX', 'ndjson'])(
    'writes a %s file, whose import gives the same animals, with trimmed names',
    async (format) => {
      const categoryId = newCategory();
      await createPets(names.map((text) => ({ name: text, categoryId })));
      const name = `names.${format}`;
      const { stdout, code } = await run(['export', name, '--category-id', String(categoryId)]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: `Exported ${names.length} animals to ${name}.\n` });
      expect(await run(['import', name, '--add-existing'])).toMatchObject({ code: 0 });
      expect(await storedNames(categoryId)).toEqual([...names, ...names.map(trimName)].toSorted());
    },
  );

  it('writes only the animals that match the filter to standard output', async () => {
    const categoryId = newCategory();
    await createPets([
      { name: 'Rex', categoryId },
      { name: 'Max', categoryId, status: 'sold' },
    ]);
    const filter = ['--status', 'sold', '--category-id', String(categoryId)];
    const { stdout } = await run(['export', '-', ...filter]);
    const lines = [
      expect.stringMatching(/^\uFEFFid,name,categoryId,status/),
      expect.stringMatching(/,Max,.*,sold/),
      '',
    ];
    expect(stdout.split('\r\n')).toEqual(lines);
    expect((await run(['export', 'one.csv', ...filter])).stdout).toBe('Exported 1 animal to one.csv.\n');
  });

  it.for([
    [['bom.csv'], '\uFEFFid'],
    [['no-bom.csv', '--no-bom'], 'id,'],
    [['bom.ndjson'], '{"i'],
    [['bom-excel', '--format', 'xlsx'], 'PK\u0003'],
  ] as const)('begins as spreadsheets and programs expect it: %j', async ([args, beginning]) => {
    await createPets([{ name: 'Rex', categoryId: 8n }]);
    expect(await run(['export', ...args, '--category-id', '8'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, args[0]), 'utf8').slice(0, 3)).toBe(beginning);
  });

  it('replaces an existing file with --force, also the target of a link', async () => {
    const target = join(folder, file('target.csv', 'mine'));
    symlinkSync(target, join(folder, 'link.csv'));
    expect(await run(['export', 'link.csv', '--force'])).toMatchObject({ code: 0 });
    expect(lstatSync(join(folder, 'link.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toMatch(/^\uFEFFid,name,/);
  });
});
