import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import type { LinkFault } from '@petstore/test-kit/faulty-link.js';
import { apiKey, TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { containing, csvOf, file, folder, numbered, run } from './support/command.js';
import { holdingLink, linkTo } from './support/link.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.prepare();
  await service.start();
});
afterAll(() => service.remove());

describe('a key without a scope', () => {
  it.for(['write', 'read'])('%s cannot import, which fails before the check of the file', async (missing) => {
    const scope = missing === 'write' ? 'read' : 'write';
    const variables = { PETSTORE_URL: service.url, PETSTORE_API_KEY: await service.createKey(scope) };
    const name = file('one-scope.csv', 'name,categoryId\n,\n');
    for (const flags of missing === 'write' ? [[]] : [[], ['--dry-run']]) {
      expect(await run(['import', name, ...flags], { variables })).toEqual({
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`^Error: API key \\d+ \\("another"\\) does not have the scope \`${missing}\`\\.\n$`),
        ) as string,
        code: 5,
      });
    }
    if (missing === 'write') expect(await run(['import', name, '--dry-run'], { variables })).toMatchObject({ code: 0 });
  });

  it('write cannot create', async () => {
    const variables = { PETSTORE_URL: service.url, PETSTORE_API_KEY: await service.createKey('read') };
    const create = await run(['create', '--name', 'Rex', '--category', '7'], { variables });
    expect(create).toMatchObject({ code: 5, stderr: containing('(insufficient_scope)') });
  });
});

describe('a server that is not the service', () => {
  const login = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' };
  const redirect = { status: 301, headers: { location: 'https://store.example/' } };
  const json = (status: number, body: string) => ({ status, headers: { 'content-type': 'application/json' }, body });
  const notTheService = (status: number) =>
    `is not from the Petstore API: HTTP ${status}, application/json (unexpected_response)`;
  it.for<[string, string, LinkFault, string]>([
    ['redirects', 'whoami', redirect, 'redirects to https://store.example/. Use the final address instead.'],
    ['sends a page', 'list', login, 'is not from the Petstore API: HTTP 200, text/html (unexpected_response)'],
    ['asks for a login', 'list', { ...login, status: 401 }, 'HTTP 401, text/html (unexpected_response)\n'],
    ['forbids it', 'list', { ...login, status: 403 }, 'HTTP 403, text/html (unexpected_response)\n'],
    ['sends JSON', 'whoami', json(200, '{}'), notTheService(200)],
    ['sends half of JSON', 'whoami', json(200, '{"id":1,'), notTheService(200)],
    ['sends half of an error', 'whoami', json(502, '{"code":'), notTheService(502)],
    ['is another program', 'whoami', json(404, '{"message":"Cannot GET","statusCode":404}'), notTheService(404)],
    ['sends null', 'whoami', json(200, 'null'), notTheService(200)],
    ['sends nothing', 'whoami', { status: 204 }, 'is not from the Petstore API: HTTP 204, no content type'],
    ['ends early', 'whoami', 'truncate', 'failed: the server closed the connection (UND_ERR_SOCKET).'],
  ])('%s: %s explains the error', async ([, command, fault, message]) => {
    const { variables } = await linkTo(() => fault, service.url);
    const result = await run([command], { variables });
    expect(result).toEqual({ stdout: '', stderr: containing(message), code: 1 });
  });
});

describe('a list that leads back', () => {
  const pet = (id: number) => JSON.stringify({ id, name: 'Rex', categoryId: 7, status: 'available' });
  it.for<[string, Record<string, [id: number, next: string]>, string]>([
    ['to the page itself', { '': [1, 'a'], a: [1, 'a'] }, `${pet(1)}\n`],
    ['to the page before', { '': [1, 'b'], b: [2, 'a'], a: [1, 'b'] }, `${pet(1)}\n${pet(2)}\n`],
  ])('%s ends an export with an error, and leaves no file', async ([, pages, stdout]) => {
    // Ends in any case after 20 pages.
    const { link, variables } = await linkTo(({ number, path }) => {
      const [id, next] = pages[new URL(path, 'http://any').searchParams.get('after') ?? ''] ?? [];
      if (number > 20 || id === undefined) return { status: 400 };
      const headers = { 'content-type': 'application/json', link: `</v1/pets?after=${next}>; rel="next"` };
      return { status: 200, headers, body: `[${pet(id)}]` };
    }, service.url);
    const stderr: unknown = expect.stringContaining(
      'so the list may never end. A proxy may repeat a page. (unexpected_',
    );
    const ended = await run(['export', '-', '--format', 'ndjson'], { variables });
    expect(ended).toEqual({ stdout, stderr, code: 1 });
    expect(link.requests.length).toBeLessThanOrEqual(3);
    expect(await run(['export', 'endless.csv'], { variables })).toEqual({ stdout: '', stderr, code: 1 });
    expect(readdirSync(folder).filter((name) => name.startsWith('endless'))).toEqual([]);
  });
});

describe('a tunnel whose service is down', () => {
  it('closes each connection at once, which fails every command', async () => {
    const tunnel = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void tunnel.close());
    await once(tunnel, 'listening');
    const { port } = tunnel.address() as AddressInfo;
    const variables = { PETSTORE_URL: `http://127.0.0.1:${port}`, PETSTORE_API_KEY: apiKey };
    const commands = [['whoami'], ['login'], ['list'], ['import', file('tunnel.csv', csvOf(7n, ['Rex']))]];
    // Twice, because it depends on the moment whether Node sees the end of a connection.
    const runs = [...commands, ...commands].map((args) => run(args, { variables, input: apiKey }));
    const stderr: unknown = expect.stringMatching(/^Error: The connection to .* failed: /);
    for (const result of await Promise.all(runs)) expect(result).toEqual({ stdout: '', stderr, code: 1 });
  });
});

describe('a service that is killed during an import', () => {
  it('continues after its restart, and has each animal once', async () => {
    const { variables, open, untilHeld } = await holdingLink(50, service.url);
    const ended = run(['import', file('restart.csv', csvOf(7n, numbered(200))), '--concurrency', '4'], { variables });
    await untilHeld();
    await service.end('SIGKILL');
    open();
    await service.start();
    expect(await ended).toMatchObject({ code: 0 });
    const { stdout } = await run(['export', '-'], { variables });
    const names = Array.from(stdout.matchAll(/Rex \d+/g), ([name]) => name);
    expect(names.toSorted()).toEqual(numbered(200).toSorted());
  });
});
