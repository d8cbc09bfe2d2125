import { once } from 'node:events';
import { createServer, type IncomingMessage, request as forward, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What happens to a request instead of its response. */
export type LinkFault =
  /** Closes the connection before the request reaches the service. */
  | 'reset'
  /** Forwards the request, then drops the response. A link to a service that is down does the same. */
  | 'lose'
  /** Forwards the request, then sends only the first half of the body. */
  | 'truncate'
  /** Responds instead of the service. */
  | ForeignResponse
  /** Sends the headers, and with `half` the first half of the body. The rest follows later. */
  | { delayMs: number; half?: boolean };

/** A response that the service did not send. Default body: empty. */
export interface ForeignResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Chooses the fault of a request. The request waits until a promise is fulfilled. */
export type FaultOf = (request: SeenRequest) => LinkFault | undefined | Promise<LinkFault | undefined>;

/** A request that passed the link. */
export interface SeenRequest {
  /** Counts from 1. */
  number: number;
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A proxy between a client and the service, with the faults of real networks and proxies. */
export class FaultyLink {
  readonly requests: SeenRequest[] = [];
  private readonly server: Server;

  private constructor(
    private readonly target: string,
    private readonly faultOf: FaultOf,
  ) {
    this.server = createServer((request, response) => void this.pass(request, response));
  }

  static async to(target: string, faultOf: FaultOf): Promise<FaultyLink> {
    const link = new FaultyLink(target, faultOf);
    await once(link.server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}/v1`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    const seen = { number: this.requests.length + 1, method, path, headers, body };
    this.requests.push(seen);
    const fault = await this.faultOf(seen);
    if (fault === 'reset') return void response.destroy();
    if (typeof fault === 'object' && 'status' in fault) {
      return void response.writeHead(fault.status, fault.headers).end(fault.body);
    }
    const served = await this.serve(seen).catch(() => undefined);
    if (!served || fault === 'lose') return void response.destroy();
    response.writeHead(served.status, served.headers);
    if (fault === undefined) return void response.end(served.body);
    const half = fault === 'truncate' || fault.half ? served.body.length / 2 : 0;
    response.flushHeaders();
    response.write(served.body.slice(0, half));
    await sleep(fault === 'truncate' ? 20 : fault.delayMs, undefined, { ref: false });
    if (fault === 'truncate') response.destroy();
    else response.end(served.body.slice(half));
  }

  private async serve({ method, path, headers, body }: SeenRequest) {
    const request = forward(`${this.target}${path}`, { method, headers }).end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }
}
