import { afterEach, describe, expect, it, vi } from 'vitest';
import { PetstoreClient, type PetstoreClientOptions } from '../src/index.js';

const good = { baseUrl: 'http://localhost:3000/v1', apiKey: 'psk_secret' };

afterEach(() => vi.restoreAllMocks());

function refusal(options: Partial<PetstoreClientOptions>): string {
  try {
    void new PetstoreClient({ ...good, ...options });
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
  throw new Error('it was accepted');
}

/** Where a client with this `baseUrl` sends a request to. */
async function requestedUrl(baseUrl: string | URL): Promise<string> {
  let requested = '';
  const fetch = async (url: string | URL | Request) => {
    const { origin, pathname } = new URL(String(url));
    requested = `${origin}${pathname}`;
    return new Response('[]');
  };
  await new PetstoreClient({ ...good, baseUrl, fetch }).listPets().page();
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
  ])('%s is taken', async (baseUrl) => {
    expect(await requestedUrl(baseUrl)).toBe('http://localhost:3000/v1/pets');
  });

  it('may have a path before /v1, as behind a proxy', async () => {
    expect(await requestedUrl('https://store.example/petstore/v1/')).toBe('https://store.example/petstore/v1/pets');
  });

  it.each([
    ['a relative one', '/v1'],
    ['one without /v1', 'http://localhost:3000'],
    ['one that ends elsewhere', 'http://localhost:3000/v1/pets'],
    ['one that only ends with the letters', 'http://localhost:3000/av1'],
    ['another scheme', 'ftp://localhost/v1'],
    ['one with a user', 'http://me:secret@localhost/v1'],
    ['one with a query', 'http://localhost/v1?key=secret'],
    ['one with a fragment', 'http://localhost/v1#secret'],
    ['a key in its place', 'psk_secret'],
  ])('refuses %s, says what is allowed and never what was given', (_, baseUrl) => {
    const message = refusal({ baseUrl });
    expect(message).toMatch(
      /^baseUrl must be an absolute http or https URL that ends in \/v1, .*http:\/\/localhost:3000\/v1$/,
    );
    expect(message).not.toContain('secret');
  });

  it('is judged without URL.canParse, which older browsers lack', () => {
    vi.spyOn(URL, 'canParse').mockImplementation(() => {
      throw new TypeError('URL.canParse is not a function');
    });
    expect(refusal({ baseUrl: '/v1' })).toMatch(/^baseUrl must be/);
  });
});

describe('fetch', () => {
  it('is called as what it is, and not as a method: browsers refuse that of their own', async () => {
    const receivers: unknown[] = [];
    async function fetch(this: unknown) {
      receivers.push(this);
      return new Response('[]');
    }
    await new PetstoreClient({ ...good, fetch }).listPets().page();
    expect(receivers).toEqual([undefined]);
  });
});

describe('the other options', () => {
  it.each(['', 'with space', 'line\nbreak', 'schlüssel'])('refuse the apiKey %j without repeating it', (apiKey) => {
    expect(refusal({ apiKey })).toBe('apiKey must be a text of visible ASCII characters');
  });

  it.each([0, -1, 1.5, 2 ** 31, Number.NaN])('refuse a timeoutMs of %d', (timeoutMs) => {
    expect(refusal({ timeoutMs })).toBe('timeoutMs must be an integer from 1 to 2147483647');
  });

  it.each([-1, 11, 0.5])('refuse %d retries', (retries) => {
    expect(refusal({ retries })).toBe('retries must be an integer from 0 to 10');
  });

  it.each([-1, 0.5, 2 ** 31])('refuse a maxRetryAfterMs of %d', (maxRetryAfterMs) => {
    expect(refusal({ maxRetryAfterMs })).toBe('maxRetryAfterMs must be an integer from 0 to 2147483647');
  });

  it('take undefined for what is left out', () => {
    const none = { fetch: undefined, timeoutMs: undefined, retries: undefined, maxRetryAfterMs: undefined };
    expect(new PetstoreClient({ ...good, ...none })).toBeDefined();
  });
});
