import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { documentation, file, folder, newCategory, run, start } from './support/command.js';
import { storedNames, storeNames } from './support/store.js';

const names = ['Rex', '=1+1', "'tis", '-7', 'a, "b"', 'two\r\nlines', 'Zoë 🐕'];

/** The header of an exported CSV file, and the records of a category. Other tests create animals at the same time. */
function recordsOf(content: string, categoryId: bigint): string {
  const records = content.split(/\r\n(?=\d+,)|\n(?=\{)/);
  return records.filter((record) => /^\uFEFF?id,/.test(record) || record.includes(String(categoryId))).join('\n');
}

describe('export', () => {
  it.for(['csv', 'ndjson'])('writes a %s file, whose import gives the same animals', async (format) => {
    const [categoryId, newId] = [newCategory(), newCategory()];
    await storeNames(categoryId, names);
    const name = `all.${format}`;
    const { stdout, code } = await run(['export', name]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Exported \d+ animals to all\./)]);
    const content = readFileSync(join(folder, name), 'utf8');
    file(`new-${name}`, recordsOf(content, categoryId).replaceAll(String(categoryId), String(newId)));
    expect(await run(['import', `new-${name}`])).toMatchObject({ code: 0 });
    expect(await storedNames(newId)).toEqual(names.toSorted());
  });

  it('writes only animals with a status to standard output', async () => {
    await run(['create', '--name', 'Sold', '--category', '7', '--status', 'sold']);
    const child = start(['export', '-', '--status', 'sold']);
    if (!child.stdout) throw new Error('The command has no output.');
    const bytes = await buffer(child.stdout);
    const [header, ...lines] = bytes.toString().trimEnd().split('\r\n');
    expect(header).toBe('\uFEFFid,name,categoryId,status');
    expect(lines.filter((line) => !line.endsWith(',sold'))).toEqual([]);
  });

  it.for([
    [['bom.csv'], '\uFEFFid'],
    [['bom.txt'], '\uFEFFid'],
    [['no-bom.csv', '--no-bom'], 'id,'],
    [['bom.ndjson'], '{"i'],
    [['bom-json.csv', '--format', 'ndjson'], '{"i'],
  ] as const)('begins as spreadsheets and programs expect it: %j', async ([args, beginning]) => {
    await run(['create', '--name', 'Rex', '--category', '7']);
    expect(await run(['export', ...args])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, args[0]), 'utf8').slice(0, 3)).toBe(beginning);
  });

  it('replaces an existing file only with --force', async () => {
    const name = file('existing.csv', 'mine');
    const { stderr, code } = await run(['export', name]);
    expect([code, stderr]).toEqual([2, `Error: existing.csv exists. Use --force to replace it.\n${documentation}`]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine');
    expect(await run(['export', name, '--force', '--json'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^\uFEFFid,name,/);
  });

  it('writes to the target of a link', async () => {
    const target = join(folder, file('target.csv', ''));
    symlinkSync(target, join(folder, 'link.csv'));
    expect(await run(['export', 'link.csv', '--force'])).toMatchObject({ code: 0 });
    expect(lstatSync(join(folder, 'link.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toMatch(/^\uFEFFid,name,/);
  });
});
