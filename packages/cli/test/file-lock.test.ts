import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lock } from '../src/import/file-lock.js';
import { csvOf, file, folder, newCategory, numbered, run } from './support/command.js';
import { storedNames } from './support/store.js';

/** No process has this id: it is larger than the maximum of Linux. */
const deadProcess = 4_194_305;

function writeLock(journal: string, owner: number): string {
  const path = `${journal}.lock-${owner}-1`;
  writeFileSync(join(folder, path), '');
  return path;
}

function locksOf(journal: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(`${journal}.lock-`));
}

describe('the lock of a journal', () => {
  it('rejects a second run while the first one is running', async () => {
    const name = file('locked.csv', csvOf(newCategory(), ['Rex']));
    const path = writeLock(`${name}.journal`, process.pid);
    expect(await run(['import', name])).toEqual({
      stdout: '',
      stderr: `Error: Another import of this file is running (process ${process.pid}). If not, delete ${path}.\n`,
      code: 1,
    });
    expect(locksOf(`${name}.journal`)).toEqual([path]);
  });

  it('is taken over from killed runs, and removed at the end', async () => {
    const name = file('stale.csv', csvOf(newCategory(), ['Rex']));
    writeLock(`${name}.journal`, deadProcess);
    writeLock(`${name}.journal`, deadProcess + 1);
    expect(await run(['import', name])).toMatchObject({ stderr: '', code: 0 });
    expect(locksOf(`${name}.journal`)).toEqual([]);
  });

  it('is taken over by at most one of several runs at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const journal = `round-${round}.journal`;
      writeLock(journal, deadProcess);
      const locks = await Promise.allSettled(Array.from({ length: 5 }, () => lock(join(folder, journal))));
      const unlocks = locks.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(unlocks.length).toBeLessThanOrEqual(1);
      for (const unlock of unlocks) await unlock();
      await (
        await lock(join(folder, journal))
      )();
      expect(locksOf(journal)).toEqual([]);
    }
  });

  it('keeps several commands at the same moment from adding an animal twice', async () => {
    const categoryId = newCategory();
    const names = numbered(50);
    const name = file('several.csv', csvOf(categoryId, names));
    writeLock(`${name}.journal`, deadProcess);
    const runs = await Promise.all(Array.from({ length: 4 }, () => run(['import', name])));
    // A run that starts after another one has ended finds the file imported.
    const isRunning = expect.stringContaining('is running (process') as string;
    for (const { code, stderr } of runs)
      expect([0, 1, 6].map((c) => [c, c === 1 ? isRunning : ''])).toContainEqual([code, stderr]);
    expect(runs.filter(({ code }) => code === 0).length).toBeLessThanOrEqual(1);
    expect([0, 6]).toContain((await run(['import', name])).code);
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
  });
});
