import { inspect } from 'node:util';
import type { LinkFault, ForeignResponse } from '@petstore/processes/faulty-link.js';
import { describe, expect, inject, it, vi } from 'vitest';
import { isTemporary, PetstoreApiError, PetstoreNetworkError, PetstoreTimeoutError } from '../src/index.js';
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
    ['JSON of something else', { status: 403, body: '{"code":"toString","message":""}' }],
    ['an incomplete error', { status: 410, body: '{"code":"gone"}' }],
    ['a page instead of a list', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' }],
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

  it.each([{ id: 1e19 }, { categoryId: '' }, { name: null }, { status: 'stolen' }])(
    'is detected when an animal has %j',
    async (fault) => {
      const body = JSON.stringify({ id: 1, name: 'Rex', categoryId: 7, status: 'sold', ...fault });
      const { client } = await clientWithFault({ status: 201, body });
      expect(await failureOf(client.createPet(rex))).toMatchObject({ code: 'unexpected_response' });
    },
  );

  it('is not requested by following a redirect', async () => {
    const location = `${inject('serviceUrl')}/v1/pets`;
    const { client, link } = await clientOnLink(() => ({ status: 307, headers: { location } }));
    const error = await failureOf(client.getPet(1n));
    expect(error).toBeInstanceOf(PetstoreNetworkError);
    expect((error as Error).message).toContain(` redirects to ${location}. Use the final address instead.`);
    expect(link.requests).toHaveLength(1);
  });
});

describe('a missing response', () => {
  it.each<LinkFault>(['reset', 'lose', 'truncate'])('is a PetstoreNetworkError, with its cause: %s', async (fault) => {
    const error = await failureOf((await clientWithFault(fault)).client.createPet(rex));
    expect(error).toBeInstanceOf(PetstoreNetworkError);
    expect(error).toMatchObject({ name: 'PetstoreNetworkError', cause: expect.any(TypeError) as TypeError });
    expect((error as Error).message).toMatch(
      /^The connection to 127\.0\.0\.1:\d+ failed: the server closed the connection \(\w+\)\.$/,
    );
  });

  it.each<[string, LinkFault]>([
    ['a late response', { delayMs: 20_000 }],
    ['a response whose second half is late', { delayMs: 20_000, half: true }],
  ])('is a PetstoreTimeoutError with its cause after the timeout: %s', async (_, fault) => {
    const error = await failureOf((await clientWithFault(fault, { timeoutMs: 200 })).client.getPet(1n));
    expect(error).toBeInstanceOf(PetstoreTimeoutError);
    expect(error).toMatchObject({ message: 'No response within 200 ms.', cause: expect.any(Error) as Error });
  });
});

describe('the message of a PetstoreNetworkError names the cause', () => {
  it.each([
    ['ECONNREFUSED', 'the connection was refused, because no server listens there'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not use TLS, so the address begins with http://'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of the server is not accepted: self-signed certificate'],
    ['ENOTFOUND', 'the host name is unknown'],
    ['UND_ERR_CONNECT_TIMEOUT', 'the server does not answer'],
  ])('%s', async (code, text) => {
    const cause = Object.assign(new Error('self-signed certificate'), { code });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const error = await failureOf(clientOf({ retries: 0, fetch }).getPet(1n));
    expect(error).toBeInstanceOf(PetstoreNetworkError);
    expect((error as Error).message).toMatch(/^The connection to [\w.:]+ failed: /);
    expect((error as Error).message.split(' failed: ')[1]).toBe(`${text} (${code}).`);
  });

  it('except in browsers, which hide it', async () => {
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const error = await failureOf(clientOf({ retries: 0, fetch }).getPet(1n));
    expect((error as Error).message).toMatch(/^The connection to [\w.:]+ failed\.$/);
  });
});

describe('the timeoutMs of an operation', () => {
  it('replaces that of the client', async () => {
    const { client } = await clientWithFault({ delayMs: 20_000 }, { timeoutMs: 15_000 });
    const operations = [
      client.createPet(rex, { timeoutMs: 100 }),
      client.getPet(1n, { timeoutMs: 100 }),
      client.listPets({}, { timeoutMs: 100 }).page(),
    ];
    for (const error of await Promise.all(operations.map(failureOf))) {
      expect(error).toMatchObject({ name: 'PetstoreTimeoutError', message: 'No response within 100 ms.' });
    }
  });
});

describe('a signal', () => {
  const reason = { of: 'the caller' };

  it('aborts an operation with its reason, unchanged', async () => {
    const { client, link } = await clientWithFault({ delayMs: 20_000 });
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
    const { client } = await clientOnLink(() => busy, { maxRetryAfterMs: 600_000 });
    const signal = AbortSignal.timeout(200);
    expect(await failureOf(client.getPet(1n, { signal }))).toBe(signal.reason);
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

describe('the API key', () => {
  it.each<[string, LinkFault, { timeoutMs?: number }]>([
    ['PetstoreApiError', { status: 502 }, {}],
    ['PetstoreNetworkError', 'reset', {}],
    ['PetstoreTimeoutError', { delayMs: 20_000 }, { timeoutMs: 200 }],
  ])('is not contained in a %s, at any depth', async (name, fault, options) => {
    const { client, link } = await clientWithFault(fault, options);
    const error = await failureOf(client.createPet(rex));
    expect(error).toMatchObject({ name });
    const shown = inspect(error, {
      depth: Infinity,
      showHidden: true,
      maxArrayLength: Infinity,
      maxStringLength: Infinity,
    });
    expect(shown).not.toContain(inject('apiKey'));
    const [request] = link.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${inject('apiKey')}`);
    expect(request?.path).not.toContain(inject('apiKey'));
  });
});

it.each<[string, LinkFault, boolean]>([
  ['a lost connection', 'reset', true],
  ['a late response', { delayMs: 5000 }, true],
  ['a rate limit', { status: 429 }, true],
  ["a proxy's 502", { status: 502 }, true],
  ['a redirect', { status: 301, headers: { location: 'https://store.example/' } }, false],
  ['a wrong request', { status: 400 }, false],
])('isTemporary after %s', async (_, fault, expected) => {
  const { client } = await clientWithFault(fault, { timeoutMs: 1000 });
  expect(isTemporary(await failureOf(client.createPet(rex)))).toBe(expected);
});
