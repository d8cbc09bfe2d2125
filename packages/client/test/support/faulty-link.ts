import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as forward,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export type Fault =
  /** The connection breaks before the service has heard of the request. */
  | 'reset'
  /** The service does what was asked, and its answer never arrives. */
  | 'lose'
  /** The same, with the first half of the answer's body. */
  | 'truncate'
  /** Something between answers in the place of the service. */
  | ForeignAnswer
  /** The head of the answer, or with `half` its body's first half too, arrives; the rest comes late. */
  | { lateMs: number; half?: boolean };

export interface ForeignAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface SeenRequest {
  /** From 1 on. */
  number: number;
  /** In milliseconds. */
  at: number;
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A proxy between a client and the service, with the faults that links and proxies have. */
export class FaultyLink {
  readonly requests: SeenRequest[] = [];
  private readonly server: Server;
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly target: string,
    private readonly faultOf: (request: SeenRequest) => Fault | undefined,
  ) {
    this.server = createServer((request, answer) => void this.pass(request, answer));
  }

  static async to(target: string, faultOf: (request: SeenRequest) => Fault | undefined): Promise<FaultyLink> {
    const link = new FaultyLink(target, faultOf);
    await once(link.server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}/v1`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.agent.destroy();
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async pass(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    const seen = { number: this.requests.length + 1, at: performance.now(), method, path, headers, body };
    this.requests.push(seen);
    const fault = this.faultOf(seen);
    if (fault === 'reset') return void answer.destroy();
    if (typeof fault === 'object' && 'status' in fault) {
      return void answer.writeHead(fault.status, fault.headers).end(fault.body);
    }
    const served = await this.serve(seen);
    if (fault === 'lose') return void answer.destroy();
    answer.writeHead(served.status, served.headers);
    if (fault === undefined) return void answer.end(served.body);
    const half = fault === 'truncate' || fault.half ? served.body.length / 2 : 0;
    answer.flushHeaders();
    answer.write(served.body.slice(0, half));
    await sleep(fault === 'truncate' ? 20 : fault.lateMs, undefined, { ref: false });
    if (fault === 'truncate') answer.destroy();
    else answer.end(served.body.slice(half));
  }

  private async serve({ method, path, headers, body }: SeenRequest) {
    const request = forward(`${this.target}${path}`, { method, headers, agent: this.agent }).end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
  }
}
