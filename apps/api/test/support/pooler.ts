import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { splitMessages } from './database-link.js';

export interface PoolerOptions {
  /** A client keeps its server connection for its session, or all clients share one for their transactions. */
  mode: 'session' | 'transaction';
  /** Whether prepared statements get other names on the server, as in PgBouncer 1.21. */
  renamesStatements?: boolean;
}

/**
 * Imitates a connection pooler such as PgBouncer: it drops the startup parameter `options`, and gives its clients other
 * process ids. Returns the URL of the database through the pooler.
 */
export async function startPooler(databaseUrl: string, options: PoolerOptions): Promise<string> {
  const pooler = new Pooler(new URL(databaseUrl), options);
  await pooler.listen();
  onTestFinished(() => pooler.close());
  return pooler.url;
}

class Pooler {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((client) => void this.serve(client).catch(() => client.destroy()));
  private shared: Promise<Upstream> | undefined;

  constructor(
    private readonly target: URL,
    private readonly options: PoolerOptions,
  ) {}

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as { port: number }).port}`;
    url.searchParams.delete('host');
    return url.href;
  }

  async listen(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async serve(client: Socket): Promise<void> {
    const messages = messagesOf(this.track(client));
    await messages.next();
    const isShared = this.options.mode === 'transaction';
    const upstream = await (isShared ? (this.shared ??= this.connect()) : this.connect());
    client.write(Buffer.concat(upstream.greeting.map(withOtherProcessId)));
    let batch: Buffer[] = [];
    for await (const message of messages) {
      batch.push(this.options.renamesStatements ? renamed(message) : message);
      if (!'SQ'.includes(typeOf(message))) continue;
      await upstream.run(client, batch);
      batch = [];
    }
  }

  private async connect(): Promise<Upstream> {
    const folder = this.target.searchParams.get('host');
    const port = Number(this.target.port || 5432);
    const socket = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, this.target.hostname);
    const parameters = [
      'user',
      decodeURIComponent(this.target.username),
      'database',
      this.target.pathname.slice(1),
      '',
    ];
    const body = Buffer.from(`\0\u0003\0\0${parameters.join('\0')}\0`, 'latin1');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length + 4);
    this.track(socket).write(Buffer.concat([length, body]));
    const upstream = new Upstream(socket);
    upstream.greeting = await upstream.untilReady();
    return upstream;
  }

  private track(socket: Socket): Socket {
    this.sockets.add(socket.on('error', () => undefined));
    return socket;
  }
}

/** A connection to the server. One client at a time uses it, for one transaction. */
class Upstream {
  greeting: Buffer[] = [];
  private readonly messages: AsyncGenerator<Buffer, void>;
  private user: Socket | undefined;

  constructor(private readonly socket: Socket) {
    this.messages = messagesOf(socket, true);
  }

  async run(client: Socket, batch: Buffer[]): Promise<void> {
    while (this.user !== undefined && this.user !== client) await sleep(1);
    this.user = client;
    this.socket.write(Buffer.concat(batch));
    const answer = await this.untilReady();
    if (answer.at(-1)?.at(-1) === 'I'.codePointAt(0)) this.user = undefined;
    client.write(Buffer.concat(answer));
  }

  async untilReady(): Promise<Buffer[]> {
    const answer: Buffer[] = [];
    while (typeOf(answer.at(-1)) !== 'Z') {
      const next = await this.messages.next();
      if (next.done) throw new Error('The server closed the connection.');
      answer.push(next.value);
    }
    return answer;
  }
}

/** A client's first message has no type. */
async function* messagesOf(socket: Socket, isServer = false): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0);
  let isFirst = !isServer;
  for await (const data of socket) {
    const bytes = Buffer.concat([rest, data as Buffer]);
    const messages = splitMessages(isFirst ? Buffer.concat([Buffer.from('0'), bytes]) : bytes);
    if (isFirst && messages.whole.length === 0) throw new Error('The first message is not complete.');
    isFirst = false;
    rest = messages.rest;
    yield* messages.whole;
  }
}

function typeOf(message: Buffer | undefined): string {
  return String.fromCodePoint(message?.[0] ?? 0);
}

function withOtherProcessId(message: Buffer): Buffer {
  if (typeOf(message) !== 'K') return message;
  const copy = Buffer.from(message);
  copy.writeUInt32BE((copy.readUInt32BE(5) + 1_000_000) % 2 ** 31, 5);
  return copy;
}

/** Parse begins with the name of the statement, Bind with the names of the portal and the statement. */
function renamed(message: Buffer): Buffer {
  if (!'PB'.includes(typeOf(message))) return message;
  const at = typeOf(message) === 'P' ? 5 : message.indexOf(0, 5) + 1;
  if (message[at] === 0) return message;
  const copy = Buffer.from(message);
  copy[at] = 'X'.codePointAt(0) ?? 0;
  return copy;
}
