import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@petstore/test-kit/postgres-server.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect, vi } from 'vitest';
import { drill, figures, isQuick, requirePrograms } from './drill.js';
import { proxies } from './proxies.js';
import { WritingClients } from './writing-clients.js';

const restarts = isQuick ? 1 : 4;
const minRequests = isQuick ? 0 : 10_000;
/** As docs/operate.md names them. */
const settingsOfTwo = { SHUTDOWN_DELAY_MS: '4000' };
const settingsOfOne = { SHUTDOWN_DELAY_MS: '700', SHUTDOWN_GRACE_MS: '500' };
/** Between two restarts. */
const pauseMs = 2000;

/** One service has an embedded database. While it restarts, the proxy queues the requests. */
const setups = [
  ['nginx', 2],
  ['Caddy', 2],
  ['HAProxy', 2],
  ['Caddy', 1],
] as const;

drill.for(setups)(
  'restarts behind %s of %i services under load without an error',
  { timeout: 300_000 },
  async ([name, count], { annotate, cleanup, skip }) => {
    requirePrograms(skip, ['caddy', 'haproxy', 'nginx', 'openssl']);
    // The certificates of the proxies sign themselves.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const database = count === 1 ? {} : { DATABASE_URL: (await PostgresServer.start(cleanup)).url() };
    const variables = { ...database, ...(count === 1 ? settingsOfOne : settingsOfTwo) };
    const services: TestService[] = [];
    while (services.length < count) services.push(await TestService.start(cleanup, variables));
    const ports = services.map(({ port }) => port);
    const url = `https://localhost:${await proxies[name](cleanup, ports)}`;
    await vi.waitFor(() => fetch(`${url}/healthz`), { timeout: 20_000, interval: 50 });
    const clients = new WritingClients({ url, writers: 4, readers: 12 });
    const { reads, writes } = clients;
    for (let restart = 0; restart < restarts; restart += 1) {
      await sleep(pauseMs);
      const service = services[restart % count] as TestService;
      expect(await service.end('SIGTERM')).toBe(0);
      await service.start();
    }
    await sleep(pauseMs);
    await vi.waitUntil(() => reads.count + writes.count >= minRequests, { timeout: 60_000 });
    await clients.audit(services[0]?.url ?? '');
    expect({ rejected: clients.rejected, broken: clients.broken }).toEqual({ rejected: 0, broken: [] });
    const longestGap = Math.max(reads.longestGapMs, writes.longestGapMs);
    await annotate(figures({ requests: reads.count + writes.count, 'longest gap in ms': longestGap }));
  },
);
