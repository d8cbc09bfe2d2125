import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { file, folder, newCategory, run } from './support/command.js';
import { createPets, storedNames } from './support/store.js';

describe('import --columns', () => {
  it('reads the columns that it names, and a second run needs no flags', async () => {
    const categoryId = newCategory();
    const name = file('tiere.csv', `Tiername;Gehege;Kategorie\nRex;A;${categoryId}\n`);
    const flags = ['--columns', 'name=Tiername,categoryId=Kategorie', '--ignore-other-columns'];
    expect(await run(['import', name, ...flags])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Rex']);
    expect(await run(['import', name])).toMatchObject({ code: 6 });
    const others = ['--columns', 'name=Gehege,categoryId=Kategorie', '--ignore-other-columns'];
    const { stderr, code } = await run(['import', name, ...others]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('This import began with other columns')]);
  });

  it.for<[string, string, string]>([
    ['macOS writes ä as a with a mark', 'Tiername;Ka\u0308fig', 'name=Tiername,categoryId=K\u00E4fig'],
    ['the flag has the mark', 'Tiername;K\u00E4fig', 'name=Tiername,categoryId=Ka\u0308fig'],
    ['spaces that do not break', 'Tier\u00A0name;Kategorie\u202FNr.', 'name=Tier name,categoryId=Kategorie Nr.'],
    ['spaces twice', ' Tier  name ;Kategorie', 'name=Tier name,categoryId= Kategorie'],
    ['a title', 'Preisliste 2026;;\n;;\nTiername;Kategorie', 'name=Tiername,categoryId=Kategorie'],
    ['a title above known names', 'Preisliste, Stand 2026\nname;categoryId', 'name=name,categoryId=categoryId'],
  ])('finds the columns: %s', async ([title, head, columns]) => {
    const categoryId = newCategory();
    const name = file(`${title}.csv`, `${head}\nRex;${categoryId}\n`);
    expect(await run(['import', name, '--columns', columns])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Rex']);
  });

  it('is named, with the columns of the file, when a column is unknown', async () => {
    const name = file('unknown.csv', 'Tiername;Kategorie\nRex;7\n');
    expect(await run(['import', name])).toMatchObject({
      code: 3,
      stderr:
        'Line 1: invalid: `Tiername` is not a known column. The file has the columns "Tiername", "Kategorie". Choose with ' +
        '--columns, such as --columns name=Tiername,categoryId=Kategorie, and ignore the rest with --ignore-other-columns.\n',
    });
  });

  it.for([
    ['name=Tier', 'The file has no column "Tier". It has "Tiername", "Kategorie".'],
    ['name=Tiername', 'The column "Kategorie" has no field. Ignore it with --ignore-other-columns.'],
    ['name=Tiername,name=Kategorie', 'It names two columns for `name`.'],
    ['Tiername', '--columns cannot be "Tiername". Write FIELD=COLUMN for the fields id, name, categoryId, status'],
  ])('%s is a wrong flag', async ([columns = '', message]) => {
    const name = file('wrong.csv', 'Tiername;Kategorie\nRex;7\n');
    const { stderr, code } = await run(['import', name, '--columns', columns]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message ?? '')]);
  });
});

describe('import --ignore-other-columns', () => {
  it('rejects a file with several columns for a field', async () => {
    const name = file('twice.csv', 'name,Name,categoryId\nRex,Max,7\n');
    const { stderr, code } = await run(['import', name, '--ignore-other-columns']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Several columns of the file are `name`.')]);
    const categoryId = newCategory();
    file('twice.csv', `name,Name,categoryId\nRex,Max,${categoryId}\n`);
    const flags = ['--columns', 'name=Name', '--columns', 'categoryId=categoryId', '--ignore-other-columns'];
    expect(await run(['import', name, ...flags])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Max']);
  });
});

describe('import --skip-existing', () => {
  it('skips animals that the store has, and decides this once', async () => {
    const categoryId = newCategory();
    await createPets([{ name: 'Zoë', categoryId }]);
    const name = file('existing.csv', `name,categoryId\nzoe,${categoryId}\nRex,${categoryId}\nRex,${categoryId}\n`);
    const flags = ['import', name, '--skip-existing'];
    const first = await run(flags);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Created: 2 .*\nAlready in the store, skipped: 1\n$/) as unknown,
    });
    await run(flags);
    expect(await storedNames(categoryId)).toEqual(['Rex', 'Rex', 'Zoë']);
    rmSync(join(folder, `${name}.journal`));
    expect((await run(flags)).stdout).toBe('Created: 0\nAlready in the store, skipped: 3\n');
  });
});
