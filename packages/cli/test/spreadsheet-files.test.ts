import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { containing, file, newCategory, run } from './support/command.js';
import { storedNames } from './support/store.js';

/** A CSV file whose names are these bytes. */
function fileWith(name: string, names: readonly string[], categoryId: bigint): string {
  const lines = names.map((bytes) => `${bytes};${categoryId}\r\n`);
  return file(name, Buffer.from(`name;categoryId\r\n${lines.join('')}`, 'latin1'));
}

describe('an Excel file', () => {
  const fixture = (name: string) => fileURLToPath(new URL(`../../table/test/fixtures/${name}`, import.meta.url));

  it('is checked by the rows of its sheet', async () => {
    const args = ['import', fixture('openpyxl.xlsx'), '--dry-run', '--ignore-other-columns'];
    const { stdout, stderr, code } = await run(args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'Valid rows: 1. Nothing was created.\nInvalid rows: 3\n' });
    expect(stderr).toMatch(/^Row 3: .* is the formula .*\nRow 4: .* 15 digits .*\nRow 5: .* #N\/A .*\n$/);
  });

  it('has rows that the spreadsheet hides: they are left out, and read with --hidden', async () => {
    const args = ['import', fixture('libreoffice.xlsx'), '--dry-run', '--ignore-other-columns'];
    const shown = await run(args);
    expect(shown.stderr).toMatch(/^1 hidden row was left out\. To read it, add --hidden\.\n/);
    expect(shown.stdout).toMatch(/^Valid rows: 1\./);
    const all = await run([...args, '--hidden']);
    expect(all.stdout).toMatch(/^Valid rows: 2\./);
    expect(all.stderr).toBe(shown.stderr.replace(/^.*hidden.*\n/, ''));
  });

  it.for<[string[], string]>([
    [[], 'The file has several sheets: "Prices", "Animals". Choose one with --sheet.'],
    [['--sheet', 'Rabbits'], 'The file has no sheet “Rabbits”.'],
    [['--sheet', 'Prices'], 'The columns are not known.'],
  ])('with several sheets needs the right --sheet: %j', async ([flags, message]) => {
    const { stdout, stderr } = await run(['import', fixture('exceljs.xlsx'), '--dry-run', ...flags]);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: containing(message) });
  });
});

describe('a file that is not UTF-8', () => {
  it('is read as Windows-1252, and the command prints some cells', async () => {
    const categoryId = newCategory();
    const names = ['Rex', 'Zo\xeb', 'J\xfcrgen \x80'];
    const { stderr, code } = await run(['import', fileWith('guessed.csv', names, categoryId)]);
    const assumed = 'The file is not UTF-8. Assuming windows-1252: "Zoë", "Jürgen €".';
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${assumed} If this is wrong, choose another with --encoding.\n`,
    });
    expect(await storedNames(categoryId)).toEqual(['Jürgen €', 'Rex', 'Zoë']);
  });

  it('is read with --encoding, without a guess', async () => {
    const categoryId = newCategory();
    const name = fileWith('chosen.csv', ['J\x9frgen'], categoryId);
    expect(await run(['import', name, '--encoding', 'macintosh'])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Jürgen']);
    expect((await run(['import', name, '--encoding', 'utf-8', '--dry-run'])).stderr).toMatch(/^Row 2: .*--encoding/);
    const message =
      "argument 'dos-437' is invalid. It must be an encoding, such as windows-1250, macintosh or shift_jis.";
    expect((await run(['import', name, '--encoding', 'dos-437'])).stderr).toContain(message);
  });
});
