import { describe, expect, it, vi } from 'vitest';
import { csvOf, file, finish, newCategory, numbered, run, start } from './support/command.js';
import { holdingLink, linkTo } from './support/link.js';
import { storedNames } from './support/store.js';

/** Some of them are the same animal. */
const names = [...numbered(60), ...numbered(20), ...numbered(20), ...numbered(20)];
const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.\n';
const notComplete =
  'The import is not complete. Repeat it with --skip-existing, which leaves out the animals that were added.\n';

/** Starts an import whose creates are held after the first ones, and waits until they are. */
async function startImport(name: string, created: number, flags: readonly string[] = []) {
  const { variables, open, untilHeld } = await holdingLink(created);
  const child = start(['import', name, '--json', '--concurrency', '4', ...flags], variables);
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  const ended = finish(child);
  await untilHeld();
  const untilStopping = () => vi.waitUntil(() => errors.includes(stopping), 30_000);
  return { child, ended, open, untilStopping };
}

describe('an import that is interrupted', () => {
  it('has each row once when it is killed three times and repeated with --skip-existing', async () => {
    const categoryId = newCategory();
    const name = file('killed.csv', csvOf(categoryId, names));
    for (const created of [21, 33, 17]) {
      const { child, ended, open } = await startImport(name, created, created === 21 ? [] : ['--skip-existing']);
      child.kill('SIGKILL');
      await ended;
      // The service may receive the requests that were held only now, during the next run.
      open();
    }
    expect(await run(['import', name])).toMatchObject({ code: 6 });
    expect(await run(['import', name, '--skip-existing'])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
  });

  it('has each row once when the request of the first of several equal animals is lost', async () => {
    const [categoryId, equal] = [newCategory(), ['Rex', 'Bella', 'REX']];
    const name = file('lost.csv', csvOf(categoryId, equal));
    let creates = 0;
    const { variables } = await linkTo(({ method }) => {
      if (method === 'POST') creates += 1;
      return creates === 1 ? new Promise(() => {}) : undefined;
    });
    const child = start(['import', name], variables);
    const ended = finish(child);
    await vi.waitUntil(async () => (await storedNames(categoryId)).length > 0, 30_000);
    child.kill('SIGKILL');
    await ended;
    expect(await run(['import', name, '--skip-existing'])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(equal.toSorted());
  });

  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s finishes the running requests, and says how to continue', async ([signal, exitCode]) => {
    const categoryId = newCategory();
    const name = file(`${signal}.csv`, csvOf(categoryId, names));
    const { child, ended, open, untilStopping } = await startImport(name, 21);
    child.kill(signal);
    await untilStopping();
    open();
    const { stdout, ...result } = await ended;
    expect(result).toEqual({ code: exitCode, stderr: stopping + notComplete });
    // Four requests were running.
    expect(stdout).toMatch(/"created":2[1-5],.*"remaining":\d+,"isComplete":false\}\n$/);
    expect(await run(['import', name, '--skip-existing'])).toMatchObject({ code: 0 });
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
  });

  it('by a second SIGINT ends at once', async () => {
    const { child, ended, untilStopping } = await startImport(file('twice.csv', csvOf(newCategory(), names)), 21);
    child.kill('SIGINT');
    await untilStopping();
    child.kill('SIGINT');
    await ended;
    expect(child.signalCode).toBe('SIGINT');
  });

  it.for(['/key.json', '/categories.json', '/v1/pets'])('while it waits for %s ends', async (held) => {
    let isHeld = false;
    const { variables } = await linkTo(({ path }) => {
      isHeld ||= path.startsWith(held);
      return isHeld ? new Promise(() => {}) : undefined;
    });
    const child = start(['import', file('early.csv', csvOf(7n, ['Rex']))], variables);
    const ended = finish(child);
    await vi.waitUntil(() => isHeld, 30_000);
    child.kill('SIGINT');
    expect(await ended).toEqual({ stdout: '', stderr: '', code: 130 });
  });
});

describe('an import that is repeated', () => {
  it('at the same time has each row once', async () => {
    const categoryId = newCategory();
    const name = file('several.csv', csvOf(categoryId, names));
    await Promise.all(Array.from({ length: 3 }, () => run(['import', name, '--skip-existing'])));
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
  });

  it('with --add-existing has each row twice', async () => {
    const categoryId = newCategory();
    const name = file('added.csv', csvOf(categoryId, names));
    for (const _ of [1, 2]) expect(await run(['import', name, '--add-existing'])).toMatchObject({ code: 0 });
    expect(await storedNames(categoryId)).toEqual([...names, ...names].toSorted());
  });

  it('with other columns adds the other animals: the service does not take them for those of the same rows', async () => {
    const categoryId = newCategory();
    const name = file('columns.csv', `Tier,Alias,Kategorie\nRex,R,${categoryId}\nBella,B,${categoryId}\n`);
    for (const column of ['Tier', 'Alias']) {
      const flags = ['--columns', `name=${column},categoryId=Kategorie`, '--ignore-other-columns'];
      expect(await run(['import', name, ...flags])).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await storedNames(categoryId)).toEqual(['B', 'Bella', 'R', 'Rex']);
  });
});
