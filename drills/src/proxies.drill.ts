import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { apiKey, TestService } from '@petstore/test-kit/test-service.js';
import { expect, type TestContext, vi } from 'vitest';
import { drill, requirePrograms } from './drill.js';
import { proxies } from './proxies.js';

type Name = keyof typeof proxies;

/** A body may take 40 s. */
const timeout = 120_000;
const all: Name[] = ['nginx', 'Caddy', 'HAProxy'];

drill.for(all)('%s replaces the host that a client claims', { timeout }, async (name, { cleanup, skip }) => {
  const { send } = await startBehind(name, cleanup, skip);
  const { body } = await send('GET', '/openapi.json', { headers: { 'x-forwarded-host': 'other.example' } }).response;
  expect(body).toContain('"openapi"');
  expect(body).not.toContain('other.example');
});

drill.for(all)(
  '%s does not confirm a create whose body never arrives',
  { timeout },
  async (name, { cleanup, skip }) => {
    const { send } = await startBehind(name, cleanup, skip);
    const { sent, response } = send('POST', '/v1/pets', { headers: { 'content-length': '50' } });
    sent.write('{"name":"Rex",');
    // nginx closes the connection after 10 s.
    const status = await response.then(
      (received) => received.status,
      () => 'closed',
    );
    expect(status).toBe(name === 'nginx' ? 'closed' : 408);
  },
);

/** In their configurations. For Caddy: deploy/nftables. */
const maxPerAddress = 200;
const limiting: Name[] = ['nginx', 'HAProxy'];

drill.for(limiting)('%s limits the requests of one address', { timeout }, async (name, { cleanup, skip }) => {
  const { send } = await startBehind(name, cleanup, skip);
  const outcomes = { unfinished: 0, rejected: 0 };
  const count = () => (outcomes.rejected += 1);
  for (let number = 0; number < maxPerAddress + 50; number += 1) {
    const { sent, response } = send('POST', '/v1/pets', { headers: { 'content-length': '50' } });
    sent.write('{"name":"Rex",');
    response.then(({ status }) => status === 503 && count(), count);
  }
  await expect.poll(() => outcomes.rejected, { timeout: 8000 }).toBe(50);
  const { status } = await send('GET', '/v1/pets', { localAddress: '127.0.0.2' }).response;
  expect(status).toBe(200);
});

interface Sent {
  sent: ClientRequest;
  response: ReturnType<typeof responseTo>;
}

/** Starts the service behind a proxy. `send` uses a new connection, and leaves the body of a POST open. */
async function startBehind(name: Name, cleanup: Cleanup, skip: TestContext['skip']) {
  requirePrograms(skip, ['caddy', 'haproxy', 'nginx', 'openssl']);
  const service = await TestService.start(cleanup, { TRUST_PROXY: 'loopback' });
  const port = await proxies[name](cleanup, [service.port]);
  const send = (method: string, path: string, { headers = {}, localAddress = '127.0.0.1' } = {}): Sent => {
    const sent = request({
      host: '127.0.0.1',
      port,
      localAddress,
      agent: false,
      servername: 'localhost',
      // The certificates of the proxies sign themselves.
      rejectUnauthorized: false,
      method,
      path,
      headers: {
        host: 'localhost',
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...headers,
      },
    });
    if (method === 'GET') sent.end();
    void cleanup.own(
      async () => sent,
      () => sent.destroy(),
    );
    return { sent, response: responseTo(sent) };
  };
  await vi.waitFor(() => send('GET', '/readyz').response.then(({ status }) => expect(status).toBe(200)), {
    timeout: 20_000,
    interval: 50,
  });
  return { send };
}

async function responseTo(sent: ClientRequest) {
  const [message] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: message.statusCode, body: await text(message) };
}
