import { describe, expect, it, vi } from 'vitest';
import { csvOf, file, finish, linesWithoutResult, newCategory, numbered, run, start } from './support/command.js';
import { holdingLink } from './support/link.js';
import { storedNames } from './support/store.js';

const names = numbered(100);
const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.\n';
const notComplete = 'The import is not complete. Run the same command again to continue.\n';

/** Starts an import whose creates are held after the first 21, and waits until they are. */
async function startImport(name: string) {
  const categoryId = newCategory();
  // Not a multiple of the lines that the import takes at a time: it has lines that it does not send.
  const { variables, open, untilHeld } = await holdingLink(21);
  const args = ['import', file(name, csvOf(categoryId, names)), '--json', '--concurrency', '4'];
  const child = start(args, variables);
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  const ended = finish(child);
  await untilHeld();
  const untilStopping = () => vi.waitUntil(() => errors.includes(stopping), 30_000);
  /** The next run adds each other animal once. */
  const repeat = async () => {
    expect((await storedNames(categoryId)).length).toBeLessThan(names.length);
    open();
    expect(await run(args, { variables })).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
  };
  return { child, ended, open, untilStopping, repeat };
}

describe('an import that is interrupted continues with the next run', () => {
  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s finishes the running requests', async ([signal, exitCode]) => {
    const { child, ended, open, untilStopping, repeat } = await startImport(`${signal}.csv`);
    child.kill(signal);
    await untilStopping();
    open();
    const { stdout, stderr, code } = await ended;
    expect([code, stderr]).toEqual([exitCode, stopping + notComplete]);
    expect(stdout).toMatch(/"interrupted":0,"isComplete":false\}\n$/);
    expect(linesWithoutResult(`${signal}.csv`)).toBe(0);
    await repeat();
  });

  it('by a second Ctrl-C ends at once', async () => {
    const { child, ended, untilStopping, repeat } = await startImport('twice.csv');
    child.kill('SIGINT');
    await untilStopping();
    child.kill('SIGINT');
    await ended;
    expect(child.signalCode).toBe('SIGINT');
    await repeat();
  });

  it('by SIGKILL ends at once', async () => {
    const { child, ended, repeat } = await startImport('SIGKILL.csv');
    child.kill('SIGKILL');
    await ended;
    await repeat();
  });
});
