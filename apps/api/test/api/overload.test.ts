import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits.js';
import { DatabaseLink } from '../support/database-link.js';
import { expectError } from '../support/expect-error.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

const excess = 50;

let owner: TestApp;
let service: TestApp;
let link: DatabaseLink;
beforeAll(async () => {
  owner = await startTestApp();
  link = await DatabaseLink.to(owner.databaseUrl);
  service = await startOn(link.url);
});
afterAll(async () => {
  await service.close();
  await owner.close();
  await link.cut();
});

describe('more requests than can be served', () => {
  it('are answered 503 with Retry-After, the others are served, and health is still told', async () => {
    // Long enough for all of them to arrive on a busy machine before the first has its answer.
    link.delayMs = 1000;
    const requests = Array.from({ length: httpLimits.requestsUnderWay + excess }, () => service.api.get('/v1/pets'));
    const health = await service.api.get('/healthz');
    const answers = await Promise.all(requests);
    link.delayMs = 0;

    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) expectError(answer, 'service_unavailable');
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(Array.from({ length: excess }, () => '1'));
    expect(health.status).toBe(200);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('are told of in the log once a second, with their number', () => {
    const lines = service.logged.filter(({ refused }) => refused !== undefined);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(excess / 2);
    expect(lines[0]?.['msg']).toContain('More requests came');
  });
});
