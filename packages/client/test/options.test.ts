import { afterEach, describe, expect, it, vi } from 'vitest';
import { PetstoreClient, type PetstoreClientOptions } from '../src/index.js';

const validOptions = { baseUrl: 'http://localhost:3000/v1', apiKey: 'psk_secret' };

afterEach(() => vi.restoreAllMocks());

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
  it.each([
    'http://localhost:3000/v1',
    'http://localhost:3000/v1/',
    new URL('http://localhost:3000/v1'),
    new URL('http://localhost:3000/v1/'),
    'http://localhost:3000/v1?',
    'http://localhost:3000/v1/#',
  ])('accepts %s', async (baseUrl) => {
    expect(await requestedUrl(baseUrl)).toBe('http://localhost:3000/v1/pets');
  });

  it('accepts a path before /v1, as behind a proxy', async () => {
    expect(await requestedUrl('https://store.example/petstore/v1/')).toBe('https://store.example/petstore/v1/pets');
  });

  it.each([
    ['a relative URL', '/v1'],
    ['a URL without /v1', 'http://localhost:3000'],
    ['a URL that does not end in /v1', 'http://localhost:3000/v1/pets'],
    ['a path that ends in v1', 'http://localhost:3000/av1'],
    ['another scheme', 'ftp://localhost/v1'],
    ['a URL with a user', 'http://me:secret@localhost/v1'],
    ['a URL with a query', 'http://localhost/v1?key=secret'],
    ['a URL with a fragment', 'http://localhost/v1#secret'],
    ['an API key', 'psk_secret'],
  ])('rejects %s with what is allowed, without the value', (_, baseUrl) => {
    const message = errorMessage({ baseUrl });
    expect(message).toMatch(
      /^`baseUrl` must be an absolute http or https URL that ends in \/v1, .*http:\/\/localhost:3000\/v1\.$/,
    );
    expect(message).not.toContain('secret');
  });

  it('works without URL.canParse, which older browsers lack', () => {
    vi.spyOn(URL, 'canParse').mockImplementation(() => {
      throw new TypeError('URL.canParse is not a function');
    });
    expect(errorMessage({ baseUrl: '/v1' })).toMatch(/^`baseUrl` must be/);
  });
});

describe('fetch', () => {
  it('is called as a function, because browsers reject a method call of their own', async () => {
    const receivers: unknown[] = [];
    async function fetch(this: unknown) {
      receivers.push(this);
      return new Response('[]');
    }
    await new PetstoreClient({ ...validOptions, fetch }).listPets().page();
    expect(receivers).toEqual([undefined]);
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

  it.each([undefined, null, '', '  ', 'Bearer ', 'bearer'])(
    'rejects the apiKey %j, and names where it may come from',
    (apiKey) => {
      expect(errorMessage({ apiKey: apiKey as never })).toMatch(/^`apiKey` is missing\. .*PETSTORE_API_KEY\.$/);
    },
  );

  it.each(['with space', 'line\nbreak', 'schlüssel'])('rejects the apiKey %j without repeating it', (apiKey) => {
    expect(errorMessage({ apiKey })).toBe('`apiKey` must be a string of visible ASCII characters.');
  });

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN])('rejects a timeoutMs of %d', (timeoutMs) => {
    expect(errorMessage({ timeoutMs })).toBe('`timeoutMs` must be an integer from 1 to 2147483647.');
  });

  it.each([-1, 11, 0.5])('rejects %d retries', (retries) => {
    expect(errorMessage({ retries })).toBe('`retries` must be an integer from 0 to 10.');
  });

  it.each([-1, 0.5, 2 ** 31])('rejects a maxRetryAfterMs of %d', (maxRetryAfterMs) => {
    expect(errorMessage({ maxRetryAfterMs })).toBe('`maxRetryAfterMs` must be an integer from 0 to 2147483647.');
  });

  it('accepts undefined for optional settings', () => {
    const none = { fetch: undefined, timeoutMs: undefined, retries: undefined, maxRetryAfterMs: undefined };
    expect(new PetstoreClient({ ...validOptions, ...none })).toBeDefined();
  });
});
