import { describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The audit events since the start, without the key of the test itself. */
const eventsOf = ({ logged }: TestApp) => logged.filter(({ event, name }) => event !== undefined && name !== 'test');
const keyEvent = (event: string, name: string, scopes = ['read', 'write']) =>
  expect.objectContaining({ event, name, scopes, apiKeyId: expect.any(Number) as number }) as unknown;

describe('the audit log', () => {
  it('has each change of a key, also at LOG_LEVEL=fatal, but nothing when nothing changes, and never the key', async () => {
    const service = await startTestApp({ logLevel: 'fatal' });
    const { id, key: till } = await service.keys.create('till', ['read'], null);
    for (let time = 0; time < 2; time += 1) await service.keys.revoke(id);
    const [first, second] = ['bootstrap-key-number-one!', 'bootstrap-key-number-two!'];
    for (const key of [first, first, second, first]) await service.keys.setBootstrapKey(key);
    await service.sql('DELETE FROM api_key');
    for (let start = 0; start < 2; start += 1) await service.keys.createFirst(() => Promise.resolve());
    expect(eventsOf(service)).toEqual([
      keyEvent('api_key.created', 'till', ['read']),
      keyEvent('api_key.revoked', 'till', ['read']),
      keyEvent('api_key.created', 'bootstrap'),
      keyEvent('api_key.revoked', 'bootstrap'),
      keyEvent('api_key.created', 'bootstrap'),
      keyEvent('api_key.revoked', 'bootstrap'),
      keyEvent('api_key.restored', 'bootstrap'),
      keyEvent('api_key.created', 'first key'),
    ]);
    const text = JSON.stringify(service.logged);
    for (const key of [till, first, second]) expect(text).not.toContain(key);
  });

  it('has authentication failures, coalesced, with their number and the latest address, when the service stops', async () => {
    const service = await startTestApp({ logLevel: 'fatal', trustProxy: ['loopback'] });
    const stranger = new Api(service.url, 'a-wrong-key-that-must-not-be-logged');
    for (let number = 1; number <= 20; number += 1) {
      await stranger.get('/v1/pets', { 'x-forwarded-for': `192.0.2.${number}` });
    }
    await service.anonymous.get('/v1/pets');
    await service.app.close();
    expect(eventsOf(service).reduce((sum, { count }) => sum + Number(count), 0)).toBe(20);
    expect(eventsOf(service)[0]).toMatchObject({ event: 'authentication.failed', count: 1, address: '192.0.2.1' });
    expect(eventsOf(service).at(-1)).toMatchObject({ address: '192.0.2.20' });
    expect(JSON.stringify(service.logged)).not.toContain('a-wrong-key');
  });
});
