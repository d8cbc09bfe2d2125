import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { inspect } from 'node:util';
import { certificate, privateKey } from '@petstore/test-kit/tls-certificate.js';
import type { LinkFault, ForeignResponse } from '@petstore/test-kit/faulty-link.js';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { isTemporary, PetstoreApiError, type PetstoreClientOptions, PetstoreNetworkError } from '../src/index.js';
import { clientOf, clientOnLink, failureOf, newCategory, storedPets } from './support/clients.js';

/** A client without retries, on a link that applies the fault to every response. */
function clientWithFault(fault: LinkFault, options: { timeoutMs?: number } = {}) {
  return clientOnLink(() => fault, { retries: 0, ...options });
}

const rex = { name: 'Rex', categoryId: 1n };

describe('an error of the API', () => {
  it('is a PetstoreApiError with the members of the response', async () => {
    const error = await failureOf(clientOf().createPet({ name: '', categoryId: 1n }));
    expect(error).toBeInstanceOf(PetstoreApiError);
    expect(error).toMatchObject({
      name: 'PetstoreApiError',
      code: 'invalid_body',
      status: 400,
      message: expect.stringContaining('name') as string,
      requestId: expect.stringMatching(/^[\w.-]+$/) as string,
      retryAfter: undefined,
      cause: expect.any(Error) as Error,
    });
  });

  it('keeps a code that the client does not know', async () => {
    const body = '{"code":"pet_locked","message":"This animal is locked.","status":423}';
    const { client } = await clientWithFault({ status: 423, body });
    const error = await failureOf(client.createPet(rex));
    expect(error).toMatchObject({ code: 'pet_locked', message: 'This animal is locked.', status: 423 });
  });
});

describe('a response that is not from the API', () => {
  it.each<[string, ForeignResponse]>([
    ["a proxy's page", { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' }],
    ['an empty response', { status: 500 }],
    ['an empty success', { status: 204 }],
    ['JSON of something else', { status: 403, body: '{"code":"toString","message":""}' }],
    ['an incomplete error', { status: 410, body: '{"code":"gone"}' }],
    ['an error with another status', { status: 502, body: '{"code":"gone","message":"","status":410}' }],
    ['a page instead of a list', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' }],
    ['JSON instead of a list', { status: 200, body: '{"id":1}' }],
    ['a list of something else', { status: 200, body: '[{"id":"x"}]' }],
    ['a next page without a cursor', { status: 200, headers: { link: '</v1/pets>; rel="next"' }, body: '[]' }],
  ])('is a PetstoreApiError with the code unexpected_response: %s', async (_, fault) => {
    const { client } = await clientWithFault({ ...fault, headers: { ...fault.headers, 'x-request-id': 'r-1' } });
    const error = await failureOf(client.listPets().page());
    expect(error).toBeInstanceOf(PetstoreApiError);
    expect(error).toMatchObject({
      code: 'unexpected_response',
      status: fault.status,
      requestId: 'r-1',
      cause: expect.any(Error) as Error,
    });
    const type = fault.headers?.['content-type'] ?? 'no content type';
    expect((error as Error).message).toContain(`not from the Petstore API: HTTP ${fault.status}, ${type}`);
  });

  it.each([{ id: 1.5 }, { id: 1e19 }, { categoryId: '' }, { name: null }, { status: 'stolen' }, { status: undefined }])(
    'is detected when an animal has %j',
    async (fault) => {
      const body = JSON.stringify({ id: 1, name: 'Rex', categoryId: 7, status: 'sold', ...fault });
      const { client } = await clientWithFault({ status: 201, body });
      expect(await failureOf(client.createPet(rex))).toMatchObject({ code: 'unexpected_response', status: 201 });
    },
  );
});

/** A server on a free port, for the duration of a test. */
async function serve(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the message of a PetstoreNetworkError names the cause', () => {
  it.each<[string, () => Promise<Partial<PetstoreClientOptions>>]>([
    // No system gives port 2 to a program, so that no other test listens on it.
    ['connect ECONNREFUSED 127.0.0.1:2', async () => ({ baseUrl: 'http://127.0.0.1:2/v1' })],
    // Node tries several addresses of this host.
    ['ECONNREFUSED', async () => ({ baseUrl: 'http://localhost:2/v1' })],
    [
      'self-signed certificate',
      async () => ({ baseUrl: `https://${await serve(createTlsServer({ key: privateKey, cert: certificate }))}/v1` }),
    ],
    [
      'the server does not use TLS, so the address begins with http://',
      async () => ({ baseUrl: `${inject('serviceUrl').replace('http:', 'https:')}/v1` }),
    ],
  ])('%s', async (cause, options) => {
    const error = await failureOf(clientOf({ retries: 0, ...(await options()) }).getPet(1n));
    expect(error).toBeInstanceOf(PetstoreNetworkError);
    expect((error as Error).message).toMatch(/^The connection to [\w.:]+ failed: /);
    expect((error as Error).message).toContain(cause);
  });

  it.each(['Failed to fetch', 'Load failed'])('except in browsers, which hide it: %s', async (message) => {
    const fetch = () => Promise.reject(new TypeError(message));
    const error = await failureOf(clientOf({ retries: 0, fetch }).getPet(1n));
    expect((error as Error).message).toMatch(/^The connection to [\w.:]+ failed\.$/);
  });
});

it('The timeoutMs of an operation replaces that of the client', async () => {
  const { client } = await clientWithFault({ delayMs: 600_000 }, { timeoutMs: 15_000 });
  const options = { timeoutMs: 100 };
  const operations = [client.createPet(rex, options), client.getPet(1n, options), client.listPets({}, options).page()];
  for (const error of await Promise.all(operations.map(failureOf))) {
    expect(error).toMatchObject({ name: 'PetstoreTimeoutError', message: 'No response within 100 ms.' });
  }
});

describe('a signal', () => {
  const reason = { of: 'the caller' };

  it('aborts an operation with its reason, unchanged', async () => {
    const { client, link } = await clientWithFault({ delayMs: 600_000 });
    const controller = new AbortController();
    void vi.waitUntil(() => link.requests.length === 1).then(() => controller.abort(reason));
    const { signal } = controller;
    expect(await failureOf(client.getPet(1n, { signal }))).toBe(reason);
    expect(await failureOf(client.createPet(rex, { signal }))).toBe(reason);
    expect(await failureOf(client.listPets({}, { signal }).page())).toBe(reason);
    // Operations with an aborted signal send nothing.
    expect(link.requests).toHaveLength(1);
  });

  it('aborts the wait before a retry', async () => {
    // Longer than the time limit of the test.
    const busy = { status: 503, headers: { 'retry-after': '600' } };
    const controller = new AbortController();
    const onWait = () => controller.abort(reason);
    const { client } = await clientOnLink(() => busy, { maxRetryAfterMs: 600_000, onWait });
    expect(await failureOf(client.getPet(1n, { signal: controller.signal }))).toBe(reason);
  });

  it('aborts an iteration between pages', async () => {
    const categoryId = newCategory();
    for (const name of ['one', 'two']) await clientOf().createPet({ name, categoryId });
    const controller = new AbortController();
    const walk = async () => {
      for await (const _ of clientOf().listPets({ limit: 1 }, { signal: controller.signal })) controller.abort(reason);
    };
    expect(await failureOf(walk())).toBe(reason);
    expect(await storedPets(categoryId)).toHaveLength(2);
  });
});

describe('a failed operation', () => {
  const cause = expect.any(Error) as Error;
  const lost = { name: 'PetstoreNetworkError', cause, message: expect.stringMatching(/ failed: .+\.$/) as string };
  const late = { name: 'PetstoreTimeoutError', message: 'No response within 500 ms.', cause };
  const redirect = { status: 301, headers: { location: 'https://store.example/' } };
  const redirected = {
    name: 'PetstoreNetworkError',
    message: expect.stringMatching(
      / redirects to https:\/\/store\.example\/\. Use the final address instead\.$/,
    ) as string,
  };
  it.each<[string, LinkFault, object, boolean]>([
    ['a connection that breaks', 'reset', lost, true],
    ['a lost response', 'lose', lost, true],
    ['half a response', 'truncate', lost, true],
    ['a late response', { delayMs: 600_000 }, late, true],
    ['a response whose second half is late', { delayMs: 600_000, half: true }, late, true],
    ['a rate limit', { status: 429 }, { name: 'PetstoreApiError' }, true],
    ["a proxy's 502", { status: 502 }, { name: 'PetstoreApiError' }, true],
    ["Cloudflare's 522", { status: 522, body: 'error code: 522' }, { name: 'PetstoreApiError' }, true],
    ['a redirect', redirect, redirected, false],
    ['a wrong request', { status: 400 }, { name: 'PetstoreApiError' }, false],
  ])(
    'explains %s, knows whether it is temporary, and contains no API key at any depth',
    async (_, fault, expected, isExpectedTemporary) => {
      const timeoutMs = expected === late ? 500 : 60_000;
      const { client, link } = await clientWithFault(fault, { timeoutMs });
      const error = await failureOf(client.createPet(rex));
      expect(error).toMatchObject(expected);
      expect(isTemporary(error)).toBe(isExpectedTemporary);
      const all = { depth: Infinity, showHidden: true, maxArrayLength: Infinity, maxStringLength: Infinity };
      expect(inspect(error, all)).not.toContain(inject('apiKey'));
      const [request] = link.requests;
      expect(request?.headers.authorization).toBe(`Bearer ${inject('apiKey')}`);
      expect(request?.path).not.toContain(inject('apiKey'));
    },
  );
});
