import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';
import { makeKey } from './made-key.js';

/** A key that asks more than `RATE_LIMIT_PER_MINUTE` is told on every answer what is left, and then to wait. */
export async function expectLimited(service: Service, quota: number, tally: Tally): Promise<void> {
  const { key } = await makeKey(service, ['--name', 'busy']);
  const ask = (bearer: string) => service.fetch('/v1/pets', { headers: { authorization: `Bearer ${bearer}` } });
  await untilKnown(() => ask(key));
  let refused = 0;
  for (let sent = 0; sent < quota + 20; sent += 1) {
    const { status, headers } = await ask(key).then(read);
    if (status === 429) refused += 1;
    const isSaid = /^"requests";q=\d+;w=60$/.test(headers.get('ratelimit-policy') ?? '') && headers.has('ratelimit');
    tally.expect(isSaid, `an answer ${status} did not say the limit`);
    tally.expect(status === 200 || (status === 429 && headers.has('retry-after')), `a busy key was answered ${status}`);
  }
  // One went before, when the key was new.
  tally.expect(refused >= 20, `of ${quota + 20} requests only ${refused} were refused`);
  tally.refused += refused;
  const other = await makeKey(service, ['--name', 'modest']);
  await untilKnown(() => ask(other.key));
  tally.expect((await ask(other.key).then(read)).status === 200, 'a modest key was held to the limit of a busy one');
}

/** A new key works within a second. */
async function untilKnown(ask: () => Promise<Response>): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < 5000;) if ((await ask().then(read)).status !== 401) return;
}

async function read(answer: Response): Promise<Response> {
  await answer.text();
  return answer;
}
