import type { LinkFault } from '@petstore/test-kit/faulty-link.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { containing, csvOf, file, numbered, run } from './support/command.js';
import { holdingLink, linkTo } from './support/link.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.prepare();
  await service.start();
});
afterAll(() => service.remove());

describe('a key without a scope', () => {
  it.for([
    ['write', []],
    ['read', []],
    ['read', ['--dry-run']],
  ] as const)('%s cannot import, which fails before the check of the file: %j', async ([missing, flags]) => {
    const key = await service.createKey(missing === 'write' ? 'read' : 'write');
    const variables = { PETSTORE_URL: service.url, PETSTORE_API_KEY: key };
    const { stderr, code } = await run(['import', 'missing.csv', ...flags], { variables });
    expect(code).toBe(5);
    expect(stderr).toMatch(/^Error: API key \d+ \("another"\) does not have the scope `(read|write)`\.\n$/);
    expect(stderr).toContain(`\`${missing}\``);
  });

  it('write can check a file', async () => {
    const variables = { PETSTORE_URL: service.url, PETSTORE_API_KEY: await service.createKey('read') };
    const input = csvOf(7n, ['Rex']);
    expect(await run(['import', '-', '--dry-run'], { variables, input })).toMatchObject({ code: 0 });
  });

  it('write cannot create', async () => {
    const variables = { PETSTORE_URL: service.url, PETSTORE_API_KEY: await service.createKey('read') };
    const create = await run(['create', '--name', 'Rex', '--category', '7'], { variables });
    expect(create).toMatchObject({ code: 5, stderr: containing('(insufficient_scope)') });
  });
});

describe('a server that is not the service', () => {
  const login = { headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' };
  const redirect = { status: 301, headers: { location: 'https://store.example/' } };
  it.for<[string, string, LinkFault, string]>([
    ['redirects', 'whoami', redirect, 'redirects to https://store.example/. Use the final address instead.'],
    ['sends a page', 'list', { ...login, status: 200 }, 'HTTP 200, text/html (unexpected_response)\n'],
    ['asks for a login', 'list', { ...login, status: 401 }, 'HTTP 401, text/html (unexpected_response)\n'],
    ['sends JSON', 'whoami', { status: 200, body: '{}' }, 'HTTP 200, no content type (unexpected_response)'],
    ['ends early', 'whoami', 'truncate', 'failed: other side closed.'],
  ])('%s: %s explains the error', async ([, command, fault, message]) => {
    const { variables } = await linkTo(() => fault, service.url);
    const result = await run([command], { variables });
    expect(result).toEqual({ stdout: '', stderr: containing(message), code: 1 });
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
