import { describe, expect, it } from 'vitest';
import { sendOne } from '../support/raw-http.js';
import { countLockWaits, holdPets } from '../support/scratch-database.js';
import { startTestApp, type TestApp, useTestApp } from '../support/test-app.js';

const service = useTestApp();

const wrongKey = 'Authorization: Bearer psk_wrong';
const unreadableBody = ['Content-Type: text/plain', 'Content-Length: 1'];

async function codeOf({ url }: TestApp, line: string, headers: string[]): Promise<string> {
  const { text } = await sendOne(url, `${line} HTTP/1.1`, [...headers, ...unreadableBody], 'x');
  return (JSON.parse(text) as { code: string }).code;
}

describe('a request with several faults gets the error of the first check', () => {
  it.each([
    ['bad_request for ambiguous headers', 'bad_request', [wrongKey, wrongKey]],
    ['missing_api_key, then', 'missing_api_key', []],
    ['invalid_api_key, then the path and the body', 'invalid_api_key', [wrongKey]],
  ])('%s', async (_title, code, headers) => {
    expect(await codeOf(service, 'PATCH /v1/nothing', headers)).toBe(code);
  });

  it('rate_limited, then service_unavailable, then the method, path and body', async () => {
    const limits = { maxRequestsInProgress: 1, rejectionDelayMs: 1 };
    const limited = await startTestApp({ rateLimitPerMinute: 3, limits });
    const hold = await holdPets(limited.databaseUrl);
    const held = limited.api.get('/v1/pets');
    await expect.poll(() => countLockWaits(limited.databaseUrl)).toBe(1);
    const key = [`Authorization: Bearer ${limited.key}`];
    expect(await codeOf(limited, 'POST /v1/nothing', key)).toBe('service_unavailable');
    expect(await codeOf(limited, 'DELETE /v1/pets', key)).toBe('service_unavailable');
    expect(await codeOf(limited, 'DELETE /v1/pets', key)).toBe('rate_limited');
    await hold.end();
    expect((await held).status).toBe(200);
  });
});
