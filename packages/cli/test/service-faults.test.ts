import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type LinkFault, FaultyLink } from '@petstore/processes/faulty-link.js';
import { runProgram } from '@petstore/processes/program.js';
import { apiKey, TestService } from '@petstore/processes/test-service.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { environment, file, finish, run, start } from './support/command.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.prepare();
  await service.start();
});
afterAll(() => service.remove());

function rows(count: number): string {
  return `name,categoryId\n${Array.from({ length: count }, (_, index) => `Rex ${index},7\n`).join('')}`;
}

describe('a key without the scope write', () => {
  it('cannot import, which fails before the check of the file', async () => {
    const args = ['create', '--name', 'reader', '--scopes', 'read', '--json'];
    const { stdout } = await runProgram('manage.js', ['keys', ...args], service.variables);
    const { id, key } = JSON.parse(stdout) as { id: number; key: string };
    const variables = { ...environment(), PETSTORE_URL: service.url, PETSTORE_API_KEY: key };
    // The service reads new keys within a second.
    const headers = { authorization: `Bearer ${key}` };
    await vi.waitUntil(async () => (await service.fetch('/v1/pets', { headers })).ok, { timeout: 30_000 });
    const name = file('read-only.csv', 'name,categoryId\n,\n');
    for (const flags of [[], ['--dry-run']]) {
      expect(await run(['import', name, ...flags], { variables })).toEqual({
        stdout: '',
        stderr: `Error: API key ${id} ("reader") does not have the scope \`write\`.\n`,
        code: 5,
      });
    }
    const create = await run(['create', '--name', 'Rex', '--category', '7'], { variables });
    expect(create).toMatchObject({ code: 5, stderr: expect.stringContaining('(insufficient_scope)') as string });
  });
});

describe('a server that is not the service', () => {
  const html = { 'content-type': 'text/html' };
  it.for<[string, LinkFault, string, string]>([
    [
      'redirects',
      { status: 301, headers: { location: 'https://store.example/' } },
      'redirects to https://store.example/. Use the final address instead.',
      'redirects to https://store.example/. Use the final address instead.',
    ],
    [
      'sends a page',
      { status: 200, headers: html, body: '<h1>Log in</h1>' },
      'is not the address of a Petstore service.',
      'The response is not from the Petstore API: HTTP 200, text/html (unexpected_response)',
    ],
    [
      'sends nothing',
      { status: 204 },
      'is not the address of a Petstore service.',
      'The response is not from the Petstore API: HTTP 204, no content type (unexpected_response)',
    ],
    [
      'ends its response early',
      'truncate',
      'failed: the server closed the connection (UND_ERR_SOCKET). Check the address',
      'failed: the server closed the connection (UND_ERR_SOCKET).',
    ],
  ])('%s: the error explains it', async ([, fault, whoami, list]) => {
    const link = await FaultyLink.to(service.url, () => fault);
    onTestFinished(() => link.close());
    const variables = { ...environment(), PETSTORE_URL: link.baseUrl, PETSTORE_API_KEY: apiKey };
    for (const [command, message] of [
      ['whoami', whoami],
      ['list', list],
    ] as const) {
      const result = await run([command], { variables });
      expect(result).toEqual({ stdout: '', stderr: expect.stringContaining(message) as string, code: 1 });
    }
  });
});

describe('a tunnel whose service is down', () => {
  it('closes each connection at once, which fails every command', async () => {
    const tunnel = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void tunnel.close());
    await once(tunnel, 'listening');
    const { port } = tunnel.address() as AddressInfo;
    const variables = { PETSTORE_URL: `http://127.0.0.1:${port}`, PETSTORE_API_KEY: apiKey };
    const commands = [['whoami'], ['login'], ['list'], ['import', file('tunnel.csv', rows(1))]];
    // Twice, because it depends on the moment whether Node sees the end of a connection.
    const runs = [...commands, ...commands].map((args) => run(args, { variables, input: apiKey }));
    const stderr: unknown = expect.stringMatching(/^Error: The connection to .* failed: /);
    for (const result of await Promise.all(runs)) expect(result).toEqual({ stdout: '', stderr, code: 1 });
  });
});

describe('a service that is killed during an import', () => {
  it('continues after its restart, and has each animal once', async () => {
    const name = file('restart.csv', rows(200));
    const args = ['import', name, '--json', '--concurrency', '4'];
    let [creates, restart] = [0, () => {}];
    const restarting = new Promise<undefined>((resolve) => {
      restart = () => resolve(undefined);
    });
    const link = await FaultyLink.to(service.url, ({ method }) => {
      if (method === 'POST') creates += 1;
      return creates > 50 ? restarting : undefined;
    });
    onTestFinished(() => link.close());
    const variables = { ...environment(), PETSTORE_URL: link.baseUrl, PETSTORE_API_KEY: apiKey };
    const child = start(args, variables);
    const ended = finish(child);
    await vi.waitUntil(() => creates > 50, 30_000);
    await service.end('SIGKILL');
    restart();
    await service.start();
    expect(await ended).toMatchObject({ code: 0 });
    const { stdout } = await run(['export', '-'], { variables });
    const names = stdout
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]);
    expect(new Set(names)).toEqual(new Set(Array.from({ length: 200 }, (_, index) => `Rex ${index}`)));
    expect(names).toHaveLength(200);
  });
});
