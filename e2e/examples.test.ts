import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FaultyLink, type ForeignResponse, type LinkFault, type SeenRequest } from '@petstore/test-kit/faulty-link.js';
import { installClient } from '@petstore/test-kit/packed-package.js';
import { isolatedEnvironment } from '@petstore/test-kit/program.js';
import { build, preview, type PreviewServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { failures, openPage } from './support/page.js';
import { key, Store } from './support/store.js';

const sources = fileURLToPath(new URL('../examples', import.meta.url));

let store: Store;
/** A later version of the service: it adds a field to each animal. */
let service: FaultyLink;
let pages: PreviewServer;
/** The examples in a project outside the repository that has installed the packed client. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'petstore-examples-'));
  await cp(sources, project, { recursive: true, filter: (path) => !path.includes('node_modules') });
  await installClient(project);
  const root = join(project, 'browser-page');
  await build({ root, logLevel: 'error' });
  pages = await preview({ root, logLevel: 'error', preview: { host: '127.0.0.1', port: 0 } });
  store = await Store.start({ CORS_ORIGINS: originOf(pages) });
  // More than a page.
  await store.sql(
    "INSERT INTO pet (name, category_id, status) SELECT 'animal', 1, 'available' FROM generate_series(1, 101)",
  );
  service = await FaultyLink.to(store.service.url, addField);
});
afterAll(async () => {
  await service.close();
  await store.close();
  await pages.close();
  await rm(project, { recursive: true, force: true });
});

function originOf({ httpServer }: PreviewServer): string {
  return `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`;
}

/** The headers of one connection, and of a body before it changes. */
const ofConnection = new Set(['host', 'connection', 'keep-alive', 'content-length']);

function forwarded(headers: Iterable<[string, unknown]>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !ofConnection.has(name))) as Record<string, string>;
}

/** Forwards a request to the service, and adds a field to each animal of the response. */
async function addField({ method, path, headers: sent, body: content }: SeenRequest): Promise<ForeignResponse> {
  const headers = forwarded(Object.entries(sent));
  const response = await fetch(store.service.url + path, { method, headers, ...(content && { body: content }) });
  // The text has all digits of the numbers.
  const body = (await response.text()).replaceAll('"status":', '"tags":["new"],"status":');
  return { status: response.status, headers: forwarded(response.headers), body };
}

/** The address of a link, in the form of PETSTORE_URL. */
function addressOf({ baseUrl }: FaultyLink): string {
  return baseUrl.replace(/\/v1$/, '');
}

async function run(program: string, ...args: string[]) {
  return runWith({}, program, ...args);
}

async function runWith(variables: Record<string, string>, program: string, ...args: string[]) {
  const env = isolatedEnvironment({ PETSTORE_URL: addressOf(service), PETSTORE_API_KEY: key, ...variables });
  const result = await promisify(execFile)(program, args, { cwd: project, env, timeout: 60_000 }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: 0, ...result };
}

function skipWithout(program: string, { skip }: TestContext): void {
  skip(spawnSync(program, ['--version']).status !== 0, `${program} is not installed.`);
}

describe('the example', () => {
  it('pets.sh adds an animal once, and prints each page before it has the next one', async (context) => {
    skipWithout('curl', context);
    const { stdout: first } = await run('sh', 'pets.sh');
    const [created = '', count, ...listed] = first.trimEnd().split('\n');
    const total = await store.count();
    expect(JSON.parse(created)).toMatchObject({ name: 'Rex', categoryId: 7, tags: ['new'] });
    expect(count).toBe(`There are ${total} animals.`);
    const pets = listed.map((page) => JSON.parse(page) as { name: string }[]);
    expect(pets.map(({ length }) => length)).toEqual([100, total - 100]);
    expect(pets.flat().filter(({ name }) => name === 'Rex')).toHaveLength(1);

    const pause = new AbortController();
    const link = await FaultyLink.to(addressOf(service), async ({ path }) => {
      if (path.includes('after=') && !pause.signal.aborted) await once(pause.signal, 'abort');
      return undefined;
    });
    onTestFinished(() => link.close());
    const env = isolatedEnvironment({ PETSTORE_URL: addressOf(link), PETSTORE_API_KEY: key });
    const program = spawn('sh', ['pets.sh'], { cwd: project, env });
    onTestFinished(() => void program.kill());
    let printed = '';
    program.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await expect.poll(() => printed.split('\n')).toHaveLength(4);
    pause.abort();
    await once(program, 'close');
    expect(printed).toBe(first);
  });

  it('pets.py adds an animal and prints all as CSV', async (context) => {
    skipWithout('python3', context);
    const { code, stdout, stderr } = await run('python3', 'pets.py');
    const pet = await store.newest();
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Added Bella with the number ${pet.id}.\n` });
    const [header, ...rows] = stdout.trimEnd().split('\r\n');
    expect(header).toBe('id,name,categoryId,status');
    expect(rows).toHaveLength(await store.count());
    expect(rows.at(-1)).toBe(`${pet.id},Bella,9223372036854775807,available`);
  });

  it('pets.py repeats a request after the status 503, and after a response that was cut', async (context) => {
    skipWithout('python3', context);
    const before = await store.count();
    const unavailable = { status: 503, headers: { 'retry-after': '0' } };
    const faults = new Map<number, LinkFault>([
      [1, unavailable],
      [3, 'truncate'],
    ]);
    const link = await FaultyLink.to(addressOf(service), ({ number }) => faults.get(number));
    onTestFinished(() => link.close());
    const { code, stdout } = await runWith({ PETSTORE_URL: addressOf(link) }, 'python3', 'pets.py');
    const total = before + 1;
    expect({ code, animals: await store.count() }).toEqual({ code: 0, animals: total });
    expect(stdout.trimEnd().split('\r\n')).toHaveLength(total + 1);
    const requests = link.requests.map(({ method, path }) => `${method} ${path}`);
    const [create, firstPage] = ['POST /v1/pets', 'GET /v1/pets?limit=100'];
    expect(requests).toEqual([create, create, firstPage, firstPage, expect.stringContaining('after=')]);
    const [firstKey, secondKey] = link.requests.map(({ headers }) => headers['idempotency-key']);
    expect({ firstKey, secondKey }).toEqual({ firstKey: expect.any(String) as string, secondKey: firstKey });
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
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^.*\\b${name}\\b.*\n$`));
    expect(await store.count()).toBe(before);
  });

  it.each([
    ['sh', 'pets.sh'],
    ['python3', 'pets.py'],
    ['node', 'import-delivery.mjs'],
  ])('%s %s takes an address that ends in a slash, and prints the status of a proxy', async (program, file) => {
    const args = file.endsWith('.mjs') ? ['slash', 'delivery.ndjson'] : [];
    expect(await runWith({ PETSTORE_URL: `${addressOf(service)}/` }, program, file, ...args)).toMatchObject({
      code: 0,
    });
    const body = '<html>Forbidden</html>';
    const link = await FaultyLink.to(addressOf(service), () => ({ status: 403, body }));
    onTestFinished(() => link.close());
    const variables = { PETSTORE_URL: addressOf(link) };
    const { code, stderr } = await runWith(variables, program, file, ...args);
    expect(code).not.toBe(0);
    expect(stderr.trimEnd().split('\n').at(-1)).toContain('403');
  });

  it('import-delivery.mjs does not call an animal rejected when the key is wrong', async () => {
    const wrongKey = { PETSTORE_API_KEY: 'a-key-that-does-not-exist' };
    const { code, stdout, stderr } = await runWith(wrongKey, 'node', 'import-delivery.mjs', '7', 'delivery.ndjson');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('This API key is unknown, expired or revoked. Correct this, and run the program again.\n');
  });

  it('import-delivery.mjs adds each animal of a delivery once and names the bad lines', async () => {
    const before = await store.count();
    const args = ['import-delivery.mjs', '2026-117', 'delivery.ndjson'];
    const badLines = [
      '{ "name": "", "categoryId": "7" }',
      '{ "name": "Leo" }',
      '{ "name": "Leo", "categoryId": "7", "price": 1.5 }',
    ];
    expect(await run('node', ...args)).toEqual({
      code: 0,
      stderr: '',
      stdout: 'added: 3, added before: 0, rejected: 0\n',
    });
    await appendFile(join(project, 'delivery.ndjson'), `${badLines.join('\n')}\n`);
    const again = await run('node', ...args);
    expect(again).toMatchObject({ code: 1, stdout: 'added: 0, added before: 3, rejected: 3\n' });
    expect(again.stderr.trimEnd().split('\n').toSorted()).toEqual([
      'Line 4: `name` must not be empty.',
      'Line 5: `categoryId` must be text.',
      expect.stringMatching(/^Line 6: `price` is unknown\./),
    ]);
    expect(await store.count()).toBe(before + 3);
  });

  it('browser-page lists and adds animals in a browser, from another origin, in a bundle of Vite', async () => {
    const { page } = await openPage(store.browser);
    onTestFinished(() => page.close());
    await page.goto(originOf(pages));
    await page.getByLabel('Service').fill(addressOf(service));
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
