import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FaultyLink } from '@petstore/test-kit/faulty-link.js';
import { installClient } from '@petstore/test-kit/packed-package.js';
import { freePort, isolatedEnvironment } from '@petstore/test-kit/program.js';
import { build, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { failures, openPage } from './support/page.js';
import { key, Store } from './support/store.js';

const sources = fileURLToPath(new URL('../examples', import.meta.url));

let store: Store;
let pagePort: number;
/** The examples in a project outside the repository that has installed the packed client. */
let project: string;

beforeAll(async () => {
  pagePort = await freePort();
  store = await Store.start({ CORS_ORIGINS: `http://127.0.0.1:${pagePort}` });
  project = await mkdtemp(join(tmpdir(), 'petstore-examples-'));
  await cp(sources, project, { recursive: true, filter: (path) => !path.includes('node_modules') });
  await installClient(project);
});
afterAll(async () => {
  await store.close();
  await rm(project, { recursive: true, force: true });
});

async function run(program: string, ...args: string[]) {
  return runWith({}, program, ...args);
}

async function runWith(variables: Record<string, string>, program: string, ...args: string[]) {
  const env = isolatedEnvironment({ PETSTORE_URL: store.service.url, PETSTORE_API_KEY: key, ...variables });
  const result = await promisify(execFile)(program, args, { cwd: project, env, timeout: 60_000 }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: 0, ...result };
}

function skipWithout(program: string, { skip }: TestContext): void {
  skip(spawnSync(program, ['--version']).status !== 0, `${program} is not installed.`);
}

describe('the example', () => {
  it('pets.sh adds an animal once and prints all pages', async (context) => {
    skipWithout('curl', context);
    for (let number = 1; number <= 100; number += 1) await store.add({ name: `animal ${number}`, categoryId: 1n });
    const first = await run('sh', 'pets.sh');
    const second = await run('sh', 'pets.sh');
    expect(second).toEqual(first);
    const [created = '', count, ...pages] = first.stdout.trimEnd().split('\n');
    const total = await store.count();
    expect(JSON.parse(created)).toMatchObject({ name: 'Rex', categoryId: 7 });
    expect(count).toBe(`There are ${total} animals.`);
    const pets = pages.map((page) => JSON.parse(page) as { name: string }[]);
    expect(pets.map(({ length }) => length)).toEqual([100, total - 100]);
    expect(pets.flat().filter(({ name }) => name === 'Rex')).toHaveLength(1);
  });

  it('pets.sh prints each page before it has the next one', async (context) => {
    skipWithout('curl', context);
    while ((await store.count()) <= 100) await store.add({ name: 'one more', categoryId: 1n });
    const pause = new AbortController();
    const link = await FaultyLink.to(store.service.url, async ({ path }) => {
      if (path.includes('after=') && !pause.signal.aborted) await once(pause.signal, 'abort');
      return undefined;
    });
    onTestFinished(() => link.close());
    const program = spawn('sh', ['pets.sh'], {
      cwd: project,
      env: isolatedEnvironment({ PETSTORE_URL: link.baseUrl.replace(/\/v1$/, ''), PETSTORE_API_KEY: key }),
    });
    onTestFinished(() => void program.kill());
    let printed = '';
    program.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const pageLengths = () => [...printed.matchAll(/^\[.*\]$/gm)].map(([page]) => (JSON.parse(page) as []).length);
    await expect.poll(pageLengths).toEqual([100]);
    pause.abort();
    await once(program, 'close');
    expect(pageLengths()).toEqual([100, (await store.count()) - 100]);
  });

  it('pets.py adds an animal and prints all as CSV', async (context) => {
    skipWithout('python3', context);
    const { code, stdout, stderr } = await run('python3', 'pets.py');
    const pet = await store.newest();
    expect([code, stderr]).toEqual([0, `Added Bella with the number ${pet.id}.\n`]);
    const [header, ...rows] = stdout.trimEnd().split('\r\n');
    expect(header).toBe('id,name,categoryId,status');
    expect(rows).toHaveLength(await store.count());
    expect(rows.at(-1)).toBe(`${pet.id},Bella,9223372036854775807,available`);
  });

  it('pets.py repeats a request whose response was cut', async (context) => {
    skipWithout('python3', context);
    const link = await FaultyLink.to(store.service.url, ({ number }) => (number === 2 ? 'truncate' : undefined));
    onTestFinished(() => link.close());
    const { code, stdout } = await runWith({ PETSTORE_URL: link.baseUrl.replace(/\/v1$/, '') }, 'python3', 'pets.py');
    expect([code, link.requests.length]).toEqual([0, expect.any(Number)]);
    expect(stdout.trimEnd().split('\r\n')).toHaveLength((await store.count()) + 1);
  });

  it.each([
    ['sh', 'pets.sh', 'PETSTORE_URL'],
    ['sh', 'pets.sh', 'PETSTORE_API_KEY'],
    ['python3', 'pets.py', 'PETSTORE_URL'],
    ['python3', 'pets.py', 'PETSTORE_API_KEY'],
    ['node', 'import-delivery.mjs', 'PETSTORE_URL'],
    ['node', 'import-delivery.mjs', 'PETSTORE_API_KEY'],
  ])('%s %s says that %s is missing, and stops', async (program, file, name) => {
    const before = await store.count();
    const args = file.endsWith('.mjs') ? ['7', 'delivery.ndjson'] : [];
    const { code, stdout, stderr } = await runWith({ [name]: '' }, program, file, ...args);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toMatch(new RegExp(`^.*\\b${name}\\b.*\n$`));
    expect(await store.count()).toBe(before);
  });

  it('pets.py resolves links relative to the page', async (context) => {
    skipWithout('python3', context);
    while ((await store.count()) <= 100) await store.add({ name: 'one more', categoryId: 1n });
    const { code, stdout } = await runWith({ PETSTORE_URL: `${store.service.url}/` }, 'python3', 'pets.py');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\r\n')).toHaveLength((await store.count()) + 1);
  });

  it.each([
    ['sh', 'pets.sh'],
    ['python3', 'pets.py'],
    ['node', 'import-delivery.mjs'],
  ])('%s %s takes an address that ends in a slash, and prints the status of a proxy', async (program, file) => {
    const args = file.endsWith('.mjs') ? ['slash', 'delivery.ndjson'] : [];
    expect(await runWith({ PETSTORE_URL: `${store.service.url}/` }, program, file, ...args)).toMatchObject({ code: 0 });
    const body = '<html>Bad Gateway</html>';
    const link = await FaultyLink.to(store.service.url, () => ({ status: 502, headers: { 'retry-after': '0' }, body }));
    onTestFinished(() => link.close());
    const variables = { PETSTORE_URL: link.baseUrl.replace(/\/v1$/, '') };
    const { code, stderr } = await runWith(variables, program, file, ...args);
    expect([code === 0, stderr.trimEnd().split('\n').at(-1)]).toEqual([false, expect.stringContaining('502')]);
  });

  it('import-delivery.mjs does not call an animal rejected when the key is wrong', async () => {
    const wrongKey = { PETSTORE_API_KEY: 'a-key-that-does-not-exist' };
    const { code, stdout, stderr } = await runWith(wrongKey, 'node', 'import-delivery.mjs', '7', 'delivery.ndjson');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('This API key is unknown, expired or revoked. Correct this, and run the program again.\n');
  });

  it('import-delivery.mjs adds each animal of a delivery once and names the bad lines', async () => {
    const before = await store.count();
    const args = ['import-delivery.mjs', '2026-117', 'delivery.ndjson'];
    expect(await run('node', ...args)).toEqual({
      code: 0,
      stderr: '',
      stdout: 'added: 3, added before: 0, rejected: 0\n',
    });
    await appendFile(join(project, 'delivery.ndjson'), '{ "name": "", "categoryId": "7" }\n{ "name": "Leo" }\n');
    const again = await run('node', ...args);
    expect(again).toMatchObject({ code: 1, stdout: 'added: 0, added before: 3, rejected: 2\n' });
    expect(again.stderr.trimEnd().split('\n').toSorted()).toEqual([
      'Line 4: `name` must not be empty.',
      'Line 5: `categoryId` must be text.',
    ]);
    expect(await store.count()).toBe(before + 3);
  });

  it('browser-page lists and adds animals in a browser, from another origin, in a bundle of Vite', async () => {
    const root = join(project, 'browser-page');
    await build({ root, logLevel: 'error' });
    const server = await preview({ root, logLevel: 'error', preview: { host: '127.0.0.1', port: pagePort } });
    onTestFinished(() => server.close());
    const { page } = await openPage(store.browser);
    onTestFinished(() => page.close());
    await page.goto(`http://127.0.0.1:${pagePort}`);
    await page.getByLabel('Service').fill(store.service.url);
    await page.getByLabel('Name').fill('Luna');
    await page.getByLabel('Category').fill('7');
    await page.getByRole('button', { name: 'Add' }).click();
    const keyField = page.getByLabel('API key');
    expect(await keyField.evaluate((field: HTMLInputElement) => field.matches(':focus:invalid'))).toBe(true);
    await keyField.fill('schlüssel');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('`apiKey` must be a string of visible ASCII characters.').waitFor();
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Show the newest' }).click();
    await page.getByText('This API key is unknown').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Name').fill('Luna <b>');
    await page.getByLabel('Category').fill('9223372036854775807');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Luna <b>').waitFor();
    const pet = await store.newest();
    expect(pet).toMatchObject({ name: 'Luna <b>', categoryId: 9_223_372_036_854_775_807n });
    const [newest] = await page.getByRole('listitem').allTextContents();
    expect(newest).toBe(`${pet.id} Luna <b> (9223372036854775807)`);
    expect(failures.splice(0)).toEqual(['401: GET /v1/pets']);
  });
});
