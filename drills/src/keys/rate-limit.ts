import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';
import { createKey } from './created-key.js';

/** Checks that a key gets its limit in every response, and 429 beyond `RATE_LIMIT_PER_MINUTE`. */
export async function expectLimited(service: Service, quota: number, tally: Tally): Promise<void> {
  const { key } = await createKey(service, ['--name', 'busy']);
  const request = (bearer: string) => service.fetch('/v1/pets', { headers: { authorization: `Bearer ${bearer}` } });
  await untilKnown(() => request(key));
  let rejected = 0;
  for (let sent = 0; sent < quota + 20; sent += 1) {
    const { status, headers } = await request(key).then(read);
    if (status === 429) rejected += 1;
    const hasHeaders =
      /^"requests";q=\d+;w=60$/.test(headers.get('ratelimit-policy') ?? '') && headers.has('ratelimit');
    tally.expect(hasHeaders, `a response with status ${status} has no rate limit headers`);
    tally.expect(status === 200 || (status === 429 && headers.has('retry-after')), `a busy key got ${status}`);
  }
  // The first request was sent while the key was new.
  tally.expect(rejected >= 20, `only ${rejected} of ${quota + 20} requests were rejected`);
  tally.rejected += rejected;
  const other = await createKey(service, ['--name', 'modest']);
  await untilKnown(() => request(other.key));
  tally.expect((await request(other.key).then(read)).status === 200, 'the limit of one key applied to another key');
}

/** Waits until a new key works, which takes up to a second. */
async function untilKnown(request: () => Promise<Response>): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < 5000;) if ((await request().then(read)).status !== 401) return;
}

async function read(response: Response): Promise<Response> {
  await response.text();
  return response;
}
