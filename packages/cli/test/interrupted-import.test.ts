import { FaultyLink } from '@petstore/processes/faulty-link.js';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { environment, file, finish, newCategory, run, start } from './support/command.js';
import { storedNames } from './support/store.js';

const names = Array.from({ length: 100 }, (_, index) => `Rex ${index}`);
const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.\n';
const notComplete = 'The import is not complete. Run the same command again to continue.\n';

/** A link to the service that holds all creates after the first 20, until `open` is called. */
async function holdingLink() {
  let [creates, open] = [0, () => {}];
  const opened = new Promise<undefined>((resolve) => {
    open = () => resolve(undefined);
  });
  const link = await FaultyLink.to(inject('serviceUrl'), ({ method }) => {
    if (method === 'POST') creates += 1;
    return creates > 20 ? opened : undefined;
  });
  onTestFinished(() => link.close());
  const untilHeld = () => vi.waitUntil(() => creates > 20, 30_000);
  return { url: link.baseUrl, open, untilHeld };
}

/** Starts an import over such a link, and waits until creates are held. */
async function startImport(name: string) {
  const categoryId = newCategory();
  const link = await holdingLink();
  file(name, `name,categoryId\n${names.map((text) => `${text},${categoryId}`).join('\n')}`);
  const variables = { ...environment(), PETSTORE_URL: link.url };
  const args = ['import', name, '--json', '--concurrency', '4'];
  const child = start(args, variables);
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  const ended = finish(child);
  await link.untilHeld();
  const untilStopping = () => vi.waitUntil(() => errors.includes(stopping), 30_000);
  return { child, ended, link, categoryId, untilStopping, repeat: () => run(args, { variables }) };
}

describe('an import that is interrupted', () => {
  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by %s finishes the running requests; the next run adds the other animals',
    async ([signal, exitCode]) => {
      const { child, ended, link, categoryId, untilStopping, repeat } = await startImport(`${signal}.csv`);
      child.kill(signal);
      await untilStopping();
      link.open();
      const { stdout, stderr, code } = await ended;
      expect([code, stderr]).toEqual([exitCode, stopping + notComplete]);
      expect(stdout).toMatch(/"interrupted":0,"isComplete":false\}\n$/);
      expect((await storedNames(categoryId)).length).toBeLessThan(names.length);
      expect(await repeat()).toMatchObject({ code: 0, stderr: '' });
      expect(await storedNames(categoryId)).toEqual(names.toSorted());
    },
  );

  it('by a second Ctrl-C ends at once; the next run adds each other animal once', async () => {
    const { child, ended, link, categoryId, untilStopping, repeat } = await startImport('twice.csv');
    child.kill('SIGINT');
    await untilStopping();
    child.kill('SIGINT');
    await ended;
    expect(child.signalCode).toBe('SIGINT');
    link.open();
    expect(await repeat()).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
  });

  it('by SIGKILL continues with the next run, which adds each other animal once', async () => {
    const { child, ended, link, categoryId, repeat } = await startImport('SIGKILL.csv');
    child.kill('SIGKILL');
    await ended;
    expect((await storedNames(categoryId)).length).toBeLessThan(names.length);
    link.open();
    expect(await repeat()).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
  });
});
