import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { RecordFile } from '../src/import/record-file.js';
import { csvOf, file, finish, folder, newCategory, numbered, run, start } from './support/command.js';
import { holdingLink, linkTo } from './support/link.js';
import { storedNames } from './support/store.js';

vi.mock('node:timers/promises', { spy: true });

const names = numbered(100);
const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.\n';
const notComplete = 'The import is not complete. Run the same command again to continue.\n';
const recordOf = (name: string) => join(folder, `${name}.import`);

/** Starts an import whose creates are held after the first 21, and waits until they are. */
async function startImport(name: string) {
  const categoryId = newCategory();
  const { variables, open, untilHeld } = await holdingLink(21);
  const args = ['import', file(name, csvOf(categoryId, names)), '--json', '--concurrency', '4'];
  const child = start(args, variables);
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  const ended = finish(child);
  await untilHeld();
  const untilStopping = () => vi.waitUntil(() => errors.includes(stopping), 30_000);
  /** The next run adds each other animal once. */
  const repeat = async (...flags: string[]) => {
    expect((await storedNames(categoryId)).length).toBeLessThan(names.length);
    expect(statSync(recordOf(name)).mode & 0o777).toBe(0o600);
    open();
    expect(await run([...args, ...flags], { variables })).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(names.toSorted());
    expect(existsSync(recordOf(name))).toBe(false);
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
    // Four requests were running: 21 created and 75 or 76 not sent.
    expect(stdout).toMatch(/"created":2\d,.*"remaining":7\d,"isComplete":false\}\n$/);
    await repeat();
  });

  it.for([
    ['SIGINT', '--skip-existing'],
    ['SIGKILL', '--add-existing'],
  ] as const)('by %s while it stops ends at once, and %s changes nothing', async ([signal, flag]) => {
    const { child, ended, untilStopping, repeat } = await startImport(`stopping-${signal}.csv`);
    child.kill('SIGINT');
    await untilStopping();
    child.kill(signal);
    await ended;
    expect(child.signalCode).toBe(signal);
    await repeat(flag);
  });

  it.for(['/key.json', '/categories.json', '/v1/pets'])(
    'while it waits for %s ends, and leaves no record',
    async (held) => {
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
      expect(existsSync(recordOf('early.csv'))).toBe(false);
    },
  );
});

/** Imports two animals, and fails after the first one. Returns the same command, `again`, which the service answers. */
async function failAfterFirst(name: string, { flags = [], input = '' }: { flags?: string[]; input?: string } = {}) {
  let [creates, isOpen] = [0, false];
  const { variables } = await linkTo(({ method }) => {
    if (method === 'POST') creates += 1;
    return creates > 1 && !isOpen ? { status: 503 } : undefined;
  });
  const again = (...others: string[]) => run(['import', name, '--concurrency', '1', ...others], { variables, input });
  const { code, stderr } = await again(...flags, '--no-wait');
  expect([code, stderr]).toEqual([1, expect.stringContaining(notComplete)]);
  isOpen = true;
  return { again, serviceUrl: variables.PETSTORE_URL };
}

describe('the record of an interrupted import', () => {
  it('is dropped if it is of another file, service, key or day: what the store has is only left out', async () => {
    const categoryId = newCategory();
    const content = csvOf(categoryId, ['Rex', 'Bella']);
    const name = file('dropped.csv', content);
    const { again, serviceUrl } = await failAfterFirst(name);
    const record = readFileSync(recordOf(name), 'utf8');
    const contentHash = createHash('sha256').update(content).digest('hex');
    const startedAt: unknown = expect.any(Number);
    expect(JSON.parse(record)).toMatchObject({ contentHash, serviceUrl, apiKeyId: '1', startedAt });
    writeFileSync(recordOf(name), record.replace('"apiKeyId":"1"', '"apiKeyId":"9"'));
    expect((await again()).stderr).toContain('Already in the store: 1 of 2.');
    for (const _ of [1, 2]) {
      const refused = await again('--add-existing');
      expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining(`delete ${name}.import`)]);
    }
    expect(await again('--skip-existing')).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Bella', 'Rex']);
    expect(await again('--add-existing')).toMatchObject({ code: 0, stderr: '' });
  });

  it('of standard input is found by the content', async () => {
    const categoryId = newCategory();
    const { again } = await failAfterFirst('-', { input: csvOf(categoryId, ['Rex', 'Bella']) });
    const records = () => readdirSync(join(folder, '.local/state/petstore'));
    expect(records()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.import$/)]);
    expect(await again()).toMatchObject({ code: 0, stdout: expect.stringMatching(/earlier runs: 1\n/) as string });
    expect(await storedNames(categoryId)).toEqual(['Bella', 'Rex']);
    expect(records()).toEqual([]);
  });

  it('keeps the flags that say how to read the file', async () => {
    const categoryId = newCategory();
    const name = file('flags.csv', `Tier,Alias,Kategorie\nRex,R,${categoryId}\nBella,B,${categoryId}\n`);
    const flags = (column: string) => ['--columns', `name=${column},categoryId=Kategorie`, '--ignore-other-columns'];
    const { again } = await failAfterFirst(name, { flags: flags('Tier') });
    for (const others of [flags('Alias'), [...flags('Tier'), '--hidden']]) {
      expect((await again(...others)).stderr).toContain(`delete ${name}.import to begin anew.`);
    }
    expect(await again(...flags('Tier'))).toMatchObject({ code: 0 });
    expect(await storedNames(categoryId)).toEqual(['Bella', 'Rex']);
  });

  it('of another process that runs, and another file of its name, are not touched', async () => {
    const { child, ended, repeat } = await startImport('running.csv');
    const content = readFileSync(join(folder, 'running.csv'), 'utf8');
    const changed = file('running.csv', csvOf(newCategory(), ['Rex']));
    const record = readFileSync(recordOf(changed), 'utf8');
    const message = `Another import of this file is running (process ${child.pid}).`;
    expect(await run(['import', changed])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message) as string,
    });
    expect(readFileSync(recordOf(changed), 'utf8')).toBe(record);
    child.kill('SIGKILL');
    await ended;
    file('running.csv', content);
    await repeat();
    for (const other of [
      'my notes\n',
      record.slice(0, 100),
      record.replace('petstore import 1', 'petstore import 2'),
    ]) {
      writeFileSync(recordOf(changed), other);
      expect((await run(['import', changed])).stderr).toContain(`${changed}.import is not the record of an import.`);
      expect(readFileSync(recordOf(changed), 'utf8')).toBe(other);
    }
  });

  it('is read again while another command writes it', async () => {
    const recordFile = await RecordFile.of(join(folder, 'written.csv'), true, '');
    const record = { format: 'petstore import 1', pid: process.ppid };
    writeFileSync(recordFile.path, '');
    // The other command completes the record while this one waits.
    vi.mocked(sleep).mockImplementationOnce(async () => {
      writeFileSync(recordFile.path, `${JSON.stringify(record)}\n`);
    });
    await expect(recordFile.read()).rejects.toThrow('Another import of this file is running');
  });

  it('is of one of several commands at the same moment', async () => {
    for (const isStale of [false, true]) {
      const categoryId = newCategory();
      const name = file(`several-${isStale}.csv`, csvOf(categoryId, names));
      const stale = { format: 'petstore import 1', importId: 'stale', startedAt: 0, leftOut: [], pid: 99_999_999 };
      if (isStale) writeFileSync(recordOf(name), `${JSON.stringify(stale)}\n`);
      const runs = await Promise.all(Array.from({ length: 3 }, () => run(['import', name])));
      for (const { code, stderr } of runs) {
        if (code === 1) expect(stderr).toContain('Another import of this file is running');
        else expect([0, 6]).toContain(code);
      }
      expect([0, 6]).toContain((await run(['import', name])).code);
      expect(await storedNames(categoryId)).toEqual(names.toSorted());
    }
  });
});
