import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { apiKey } from '@petstore/processes/service-process.js';
import { vi } from 'vitest';
import type { Proxy } from './proxies.js';

/** Connects from this address, so that the log can show the client and not the proxy. */
const clientAddress = '127.0.0.2';
/** A header with which a client pretends to have another address. */
const pretendedAddress = '203.0.113.9';

export interface ProxyResponse {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

/** Waits until the proxy responds with any status. */
export function connectTo(proxy: Proxy): Promise<ProxyClient> {
  const connect = async () => {
    const client = new ProxyClient(proxy, await proxy.authority());
    await client.get('/healthz');
    return client;
  };
  return vi.waitFor(connect, { timeout: 20_000, interval: 50 });
}

/** Sends requests through a proxy over TLS, and verifies its certificate. One request at a time uses one connection. */
export class ProxyClient {
  readonly #agent: Agent;

  constructor(
    private readonly proxy: Proxy,
    authority: string,
  ) {
    this.#agent = new Agent({ keepAlive: true, ca: authority, localAddress: clientAddress, servername: 'localhost' });
  }

  get(path: string): Promise<ProxyResponse> {
    return this.#send('GET', path, '');
  }

  post(path: string, body: string): Promise<ProxyResponse> {
    return this.#send('POST', path, body);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(method: string, path: string, body: string): Promise<ProxyResponse> {
    const headers = {
      host: `localhost:${this.proxy.port}`,
      authorization: `Bearer ${apiKey}`,
      'x-forwarded-for': pretendedAddress,
      ...(body !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const sent = request({ agent: this.#agent, host: '127.0.0.1', port: this.proxy.port, method, path, headers });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode = 0 } = response;
    return { status: statusCode, type: response.headers['content-type'] ?? '', body: await text(response) };
  }
}
