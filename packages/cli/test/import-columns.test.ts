import { checkRows } from '@petstore/import-export/check-rows.js';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addImport } from '../src/commands/import.command.js';
import { readPlan, type ReadFlags } from '../src/import/read-plan.js';
import { file, run } from './support/command.js';

/** Reads a file as `petstore import` does with these flags. */
async function plan(content: string, args: readonly string[] = []) {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addImport(program);
  const [command] = program.commands;
  command?.parseOptions([...args]);
  return readPlan(Buffer.from(content), command?.opts() as ReadFlags, []);
}

const chosen = ['--columns', 'name=Tiername,categoryId=Kategorie'];
const other = '--ignore-other-columns';

/** Files with flags. Each has one animal, Rex of the category 7. */
const files: [title: string, content: string, flags?: string[], note?: string][] = [
  ['an export', '\uFEFFid,name,categoryId,status\n1,Rex,7,sold'],
  ['common names', 'Tier;Kategorie\nRex;7'],
  ['chosen names', 'Tiername;Gehege;Kategorie\nRex;A;7', [...chosen, other]],
  ['a title', 'Preisliste 2026;;\n;;\nTier;Kategorie\nRex;7', [], 'Row 3 has the names of the columns. The rows above'],
  ['a title and chosen names', 'Preisliste;;\nTiername;Kategorie\nRex;7', chosen, 'Row 2 has the names'],
  ['a blank column', 'name;;categoryId;\nRex;;7;'],
  [
    'letters as macOS writes them',
    'Tier\u00A0x;Ka\u0308fig\nRex;7',
    ['--columns', 'name=Tier x,categoryId=K\u00E4fig'],
  ],
  ['one of two columns', 'name,Name 2,categoryId\nMax,Rex,7', ['--columns', 'name=Name 2', other]],
  ['two flags', 'a,b\nRex,7', ['--columns', 'name=a', '--columns', 'categoryId=b']],
  ['positions', '12;Rex;7', ['--no-header', '--columns', 'name=2,categoryId=3']],
  ['NDJSON', '{"name":"Rex","categoryId":7}'],
];

/** Files and flags that are refused. */
const refused: [content: string, flags: string[], message: string][] = [
  ['Rex;7\nMia;8', [], 'The columns are not known. Choose their names,'],
  ['Zoo Berlin\n\nRufname;Gruppe\nRex;7', [], 'The file has "Rufname", "Gruppe".'],
  [`name,${'x,'.repeat(30)}`, [], `The file has "name", ${'"x", '.repeat(19)}….`],
  ['Rex;7', ['--no-header'], 'the positions of columns, from 1 to 2.'],
  ['Rex;7', ['--no-header', '--columns', 'name=1,categoryId=3'], 'the positions of columns, from 1 to 2.'],
  ['Tiername;Kategorie\nRex;7', ['--columns', 'name=Tier'], 'no column "Tier". The file has "Tiername", "Kategorie".'],
  ['Rex;7', ['--columns', 'name=1,categoryId=2'], 'no column "1". For positions of columns, add --no-header.'],
  ['Tiername;Nr;Kategorie;Notiz\nRex;1;7;x', [], 'The column "Notiz" is not known.'],
  ['name,Name,categoryId\nRex,Max,7', [other], 'Several columns are `name`. Choose one with --columns. The file has'],
  ['name;Gehege\nRex;A', ['--columns', 'name=name', other], 'Choose the column for `categoryId` with --columns.'],
  ['{"name":"Rex","categoryId":7}', ['--columns', 'name=a'], 'are for Excel and CSV files.'],
  ['a', ['--columns', 'name=a,name=b'], 'It names two columns for `name`.'],
  ['a', ['--columns', 'a'], "argument 'a' is invalid. Write FIELD=COLUMN for the fields id, name, categoryId, status"],
];

describe('the columns of a file', () => {
  it.for(files)('are found: %s', async ([, content, flags, note]) => {
    const { table, settings, notes } = await plan(content, flags);
    expect([...checkRows(table, settings)]).toMatchObject([{ name: 'Rex', categoryId: 7n }]);
    expect(notes).toEqual(note ? [expect.stringContaining(note)] : []);
  });

  it.for(refused)('are refused: %j %j', async ([content, flags, message]) => {
    await expect(plan(content, flags)).rejects.toThrow(message);
  });

  it('have names that are known, or the exit code is 3', async () => {
    const { stderr, ...result } = await run(['import', file('unknown.csv', 'Rufname;Gruppe\nRex;7')]);
    expect(result).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^Error: The columns are not known\. .* The file has "Rufname", "Gruppe"\.\n$/);
  });
});
