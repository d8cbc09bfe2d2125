import { describe, expect, it } from 'vitest';
import { PetstoreClient, type PetstoreClientOptions } from '../src/index.js';

const validOptions = { baseUrl: 'http://localhost:3000/v1', apiKey: 'psk_secret' };

function errorMessage(options: Partial<PetstoreClientOptions>): string {
  try {
    void new PetstoreClient({ ...validOptions, ...options });
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
  throw new Error('No error was thrown.');
}

/** Returns the URL, the key and the receiver of `fetch` in a request of a client with these options. */
async function requestWith(options: Partial<PetstoreClientOptions>) {
  const requests: unknown[] = [];
  async function fetch(this: unknown, target: string | URL | Request, init?: RequestInit) {
    const { origin, pathname } = new URL(String(target));
    const authorization = new Headers(init?.headers).get('authorization');
    requests.push({ url: `${origin}${pathname}`, authorization, receiver: this });
    return new Response('[]');
  }
  await new PetstoreClient({ ...validOptions, ...options, fetch }).listPets().page();
  expect(requests).toHaveLength(1);
  return requests[0];
}

describe('baseUrl', () => {
  it.each([
    ['http://localhost:3000/v1', 'http://localhost:3000/v1/pets'],
    ['http://localhost:3000/v1/', 'http://localhost:3000/v1/pets'],
    [new URL('http://localhost:3000/v1'), 'http://localhost:3000/v1/pets'],
    [new URL('http://localhost:3000/v1/'), 'http://localhost:3000/v1/pets'],
    // As behind a proxy.
    ['https://store.example/petstore/v1/', 'https://store.example/petstore/v1/pets'],
  ])('accepts %s', async (baseUrl, url) => {
    expect(await requestWith({ baseUrl })).toMatchObject({ url });
  });

  it.each([
    ['a relative URL', '/v1'],
    ['a URL without /v1', 'http://localhost:3000'],
    ['a URL that does not end in /v1', 'http://localhost:3000/v1/pets'],
    ['a path that ends in v1', 'http://localhost:3000/av1'],
    ['a path that ends in V1', 'http://localhost:3000/V1'],
    ['another scheme', 'ftp://localhost/v1'],
    ['a URL with a user', 'http://me:secret@localhost/v1'],
    ['a URL with a query', 'http://localhost/v1?key=secret'],
    ['a URL whose query ends in /v1', 'http://localhost/?key=secret/v1'],
    ['a URL with a fragment', 'http://localhost/v1#secret'],
    ['an API key', 'psk_secret'],
  ])('rejects %s with what is allowed, without the value', (_, baseUrl) => {
    const message = errorMessage({ baseUrl });
    expect(message).toMatch(
      /^`baseUrl` must be an absolute http or https URL that ends in \/v1, .*http:\/\/localhost:3000\/v1\.$/,
    );
    expect(message).not.toContain('secret');
  });
});

it('fetch is called as a function, because browsers reject a method call of their own', async () => {
  expect(await requestWith({})).toMatchObject({ receiver: undefined });
});

describe('new PetstoreClient', () => {
  it.each(['Bearer psk_secret', 'bearer  psk_secret', ' BEARER Bearer psk_secret\n'])(
    'sends the apiKey %j with the word once',
    async (apiKey) => expect(await requestWith({ apiKey })).toMatchObject({ authorization: 'Bearer psk_secret' }),
  );

  it.each([undefined, null, '', '  ', 'Bearer ', 'bearer'])(
    'rejects the apiKey %j, and names where it may come from',
    (apiKey) => {
      expect(errorMessage({ apiKey: apiKey as never })).toMatch(/^`apiKey` is missing\. .*PETSTORE_API_KEY\.$/);
    },
  );

  it.each(['with space', 'line\nbreak', 'schlüssel'])('rejects the apiKey %j without repeating it', (apiKey) => {
    expect(errorMessage({ apiKey })).toBe('`apiKey` must be a string of visible ASCII characters.');
  });

  it.each([
    ['timeoutMs', '1 to 2147483647', [0, -1, 1.5, 2 ** 31, Number.NaN]],
    ['retries', '0 to 10', [-1, 11, 0.5]],
    ['maxRetryAfterMs', '0 to 2147483647', [-1, 0.5, 2 ** 31]],
  ])('rejects a %s that is not an integer from %s', (name, range, values) => {
    const message = `\`${name}\` must be an integer from ${range}.`;
    for (const value of values) expect(errorMessage({ [name]: value }), String(value)).toBe(message);
  });
});
