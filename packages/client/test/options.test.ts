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

/** Returns the URL that a client with this `baseUrl` sends a request to. */
async function requestedUrl(baseUrl: string | URL): Promise<string> {
  let requested = '';
  const fetch = async (url: string | URL | Request) => {
    const { origin, pathname } = new URL(String(url));
    requested = `${origin}${pathname}`;
    return new Response('[]');
  };
  await new PetstoreClient({ ...validOptions, baseUrl, fetch }).listPets().page();
  return requested;
}

describe('baseUrl', () => {
  it.each(['http://localhost:3000/v1', 'http://localhost:3000/v1/', new URL('http://localhost:3000/v1')])(
    'accepts %s',
    async (baseUrl) => {
      expect(await requestedUrl(baseUrl)).toBe('http://localhost:3000/v1/pets');
    },
  );

  it('accepts a path before /v1, as behind a proxy', async () => {
    expect(await requestedUrl('https://store.example/petstore/v1/')).toBe('https://store.example/petstore/v1/pets');
  });

  it.each([
    ['a relative URL', '/v1'],
    ['a URL without /v1', 'http://localhost:3000'],
    ['another scheme', 'ftp://localhost/v1'],
    ['a URL with a user', 'http://me:secret@localhost/v1'],
    ['a URL with a query', 'http://localhost/v1?key=secret'],
    ['an API key', 'psk_secret'],
  ])('rejects %s with what is allowed, without the value', (_, baseUrl) => {
    const message = errorMessage({ baseUrl });
    expect(message).toMatch(
      /^`baseUrl` must be an absolute http or https URL that ends in \/v1, .*http:\/\/localhost:3000\/v1\.$/,
    );
    expect(message).not.toContain('secret');
  });
});

describe('new PetstoreClient', () => {
  it.each(['Bearer psk_secret', 'bearer  psk_secret', ' BEARER Bearer psk_secret\n'])(
    'sends the apiKey %j with the word once',
    async (apiKey) => {
      let sent: string | null = null;
      const fetch = async (_url: unknown, init?: RequestInit) => {
        sent = new Headers(init?.headers).get('authorization');
        return new Response('[]');
      };
      await new PetstoreClient({ ...validOptions, apiKey, fetch }).listPets().page();
      expect(sent).toBe('Bearer psk_secret');
    },
  );

  it.each([undefined, null, ''])('rejects the apiKey %j, and names where it may come from', (apiKey) => {
    expect(errorMessage({ apiKey: apiKey as never })).toMatch(/^`apiKey` is missing\. .*PETSTORE_API_KEY\.$/);
  });

  it.each(['with space', 'line\nbreak', 'schlüssel'])('rejects the apiKey %j without repeating it', (apiKey) => {
    expect(errorMessage({ apiKey })).toBe('`apiKey` must be a string of visible ASCII characters.');
  });

  it.each<[Partial<PetstoreClientOptions>, string]>([
    [{ timeoutMs: 0 }, '`timeoutMs` must be an integer from 1 to 2147483647.'],
    [{ timeoutMs: Number.NaN }, '`timeoutMs` must be an integer from 1 to 2147483647.'],
    [{ retries: 11 }, '`retries` must be an integer from 0 to 10.'],
    [{ maxRetryAfterMs: 0.5 }, '`maxRetryAfterMs` must be an integer from 0 to 2147483647.'],
  ])('rejects %j', (options, message) => expect(errorMessage(options)).toBe(message));
});
