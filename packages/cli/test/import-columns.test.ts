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

const unsure = 'It is not clear what the columns are, and whether the first row is an animal.';
const chosen = ['--columns', 'name=Tiername,categoryId=Kategorie'];
const other = '--ignore-other-columns';

/** Files with flags. Each has one animal, Rex of the category 7. */
const files: [title: string, content: string, flags?: string[], note?: string][] = [
  ['an export', '\uFEFFid,name,categoryId,status\n1,Rex,7,sold'],
  ['common names', 'Tier;Kategorie\nRex;7', [], 'Reading name from "Tier", categoryId from "Kategorie".'],
  ['chosen names', 'Tiername;Gehege;Kategorie\nRex;A;7', [...chosen, other]],
  ['a title', 'Preisliste 2026;;\n;;\nTiername;Kategorie\nRex;7', chosen],
  ['a blank column', 'name;;categoryId;\nRex;;7;'],
  [
    'letters as macOS writes them',
    'Tier\u00A0x;Ka\u0308fig\nRex;7',
    ['--columns', 'name=Tier x,categoryId=K\u00E4fig'],
  ],
  ['one of two columns', 'name,Name 2,categoryId\nMax,Rex,7', ['--columns', 'name=Name 2', other]],
  ['two flags', 'a,b\nRex,7', ['--columns', 'name=a', '--columns', 'categoryId=b']],
  ['no names', 'Rex;7', [], 'The first row is an animal. Reading name from column 1, categoryId from column 2.'],
  ['no names, with the flag', '7;Rex', ['--no-header'], 'Reading categoryId from column 1, name from column 2.'],
  ['positions', '12;Rex;7', ['--no-header', '--columns', 'name=2,categoryId=3']],
];

/** Files and flags that are refused. */
const refused: [content: string, flags: string[], message: string][] = [
  ['Rex;Max\nMia;Ben', [], unsure],
  ['# exported by Anna\nRex;Max', [], unsure],
  ['Rex;Max', ['--no-header'], unsure],
  ['Rex;7', ['--no-header', '--columns', 'name=1,categoryId=3'], 'the positions of columns, from 1 to 2.'],
  ['Tiername;Kategorie\nRex;7', ['--columns', 'name=Tier'], 'no column "Tier". It has "Tiername", "Kategorie".'],
  ['Rex;Max\nMia;Ben', ['--columns', 'name=Tier'], 'The file has no column "Tier".'],
  ['Rex;7', ['--columns', 'name=1,categoryId=2'], 'no column "1". For positions of columns, add --no-header.'],
  ['Tiername;Nr;Kategorie;Notiz\nRex;1;7;x', [], 'The column "Notiz" is not known.'],
  ['name,Name,categoryId\nRex,Max,7', [other], 'Several columns are `name`. Choose one with --columns.'],
  ['name;Gehege\nRex;A', ['--columns', 'name=name'], 'Choose the column for `categoryId` with --columns.'],
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
    const failure = await plan(content, flags).catch((error: unknown) => error);
    expect((failure as Error).message).toContain(message);
    // Neither an animal nor a comment.
    expect((failure as Error).message).not.toMatch(/Rex|Anna/);
  });

  it('are printed if they are guessed, and an error about them has the exit code 2', async () => {
    const guessed = await run(['import', file('guessed.csv', 'Tier;Kategorie\nRex;7'), '--dry-run', '--skip-existing']);
    expect(guessed.stderr).toContain('Reading name from "Tier", categoryId from "Kategorie".');
    const unclear = await run(['import', file('unclear.csv', 'Rex;Max'), '--columns', 'name=Tier']);
    expect(unclear).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('no column "Tier"') as string });
  });
});
