import { describe, expect, it } from 'vitest';
import { file, newCategory, run } from './support/command.js';
import { storedNames } from './support/store.js';

const unsure = 'It is not clear what the columns are, and whether the first row is an animal.';
const chosen = ['--columns', 'name=Tiername,categoryId=Kategorie'];
const other = '--ignore-other-columns';

/** Files whose `C` is a category, with flags. Each has one animal, Rex. */
const files: [title: string, content: string, flags?: string[], note?: string][] = [
  ['an export', '\uFEFFid,name,categoryId,status\n1,Rex,C,sold'],
  ['common names', 'Tier;Kategorie\nRex;C', [], 'Reading name from "Tier", categoryId from "Kategorie".'],
  ['chosen names', 'Tiername;Gehege;Kategorie\nRex;A;C', [...chosen, other]],
  ['a title', 'Preisliste 2026;;\n;;\nTiername;Kategorie\nRex;C', chosen],
  ['a blank column', 'name;;categoryId;\nRex;;C;'],
  [
    'letters as macOS writes them',
    'Tier\u00A0x;Ka\u0308fig\nRex;C',
    ['--columns', 'name=Tier x,categoryId=K\u00E4fig'],
  ],
  ['one of two columns', 'name,Name 2,categoryId\nMax,Rex,C', ['--columns', 'name=Name 2', other]],
  ['two flags', 'a,b\nRex,C', ['--columns', 'name=a', '--columns', 'categoryId=b']],
  ['no names', 'Rex;C', [], 'The first row is an animal. Reading name from column 1, categoryId from column 2.'],
  ['no names, with the flag', 'C;Rex', ['--no-header'], 'Reading categoryId from column 1, name from column 2.'],
  ['positions', '12;Rex;C', ['--no-header', '--columns', 'name=2,categoryId=3']],
];

/** Files and flags that are refused. */
const refused: [content: string, flags: string[], message: string][] = [
  ['Rex;Max\nMia;Ben', [], unsure],
  ['# exported by Anna\nRex;Max', [], unsure],
  ['Rex;Max', ['--no-header'], unsure],
  ['Rex;7', ['--no-header', '--columns', 'name=1,categoryId=3'], 'the positions of columns, from 1 to 2.'],
  ['Tiername;Kategorie\nRex;7', ['--columns', 'name=Tier'], 'no column "Tier". It has "Tiername", "Kategorie".'],
  ['Rex;Max\nMia;Ben', ['--columns', 'name=Tier'], 'The file has no column "Tier".\n'],
  ['Rex;7', ['--columns', 'name=1,categoryId=2'], 'no column "1". For positions of columns, add --no-header.'],
  ['Tiername;Nr;Kategorie;Notiz\nRex;1;7;x', [], 'The column "Notiz" is not known.'],
  ['name,Name,categoryId\nRex,Max,7', [other], 'Several columns are `name`. Choose one with --columns.'],
  ['name;Gehege\nRex;A', ['--columns', 'name=name'], 'Choose the column for `categoryId` with --columns.'],
  ['{"name":"Rex","categoryId":7}', ['--columns', 'name=a'], 'are for Excel and CSV files.'],
  ['a', ['--columns', 'name=a,name=b'], 'It names two columns for `name`.'],
  ['a', ['--columns', 'a'], "argument 'a' is invalid. Write FIELD=COLUMN for the fields id, name, categoryId, status"],
];

describe('the columns of a file', () => {
  it.for(files)('are found: %s', async ([title, content, flags = [], note]) => {
    const categoryId = newCategory();
    const name = file(`${title}.csv`, content.replaceAll(/\bC\b/g, String(categoryId)));
    const { stderr, code } = await run(['import', name, ...flags]);
    expect([code, stderr]).toEqual([0, note ? expect.stringContaining(note) : '']);
    expect(await storedNames(categoryId)).toEqual(['Rex']);
  });

  it.for(refused)('are refused: %j %j', async ([content, flags, message]) => {
    const { stdout, stderr, code } = await run(['import', file('refused.csv', content), ...flags]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    // Neither an animal nor a comment.
    expect(stderr).not.toMatch(/Rex|Anna/);
  });
});
