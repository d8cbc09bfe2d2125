import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire between a service and its database, for tests to cut and mend. */
export class DatabaseLink {
  /** Whether notifications are lost on the way, as in some connection poolers. */
  losesNotifications = false;
  /** How much later the service gets what its database has sent. */
  delayMs = 0;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private port: number,
  ) {}

  static async to(databaseUrl: string): Promise<DatabaseLink> {
    const link = new DatabaseLink(new URL(databaseUrl), 0);
    await link.mend();
    return link;
  }

  /** Of the database, by way of this link. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    url.searchParams.delete('host');
    return url.href;
  }

  /** Breaks every connection; new ones are refused until it is mended. */
  async cut(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    this.server = createServer((client) => this.join(client)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as { port: number }).port;
  }

  private join(client: Socket): void {
    const folder = this.target.searchParams.get('host');
    const port = Number(this.target.port || 5432);
    const database = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, this.target.hostname);
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(socket);
          client.destroy();
          database.destroy();
        });
    }
    client.pipe(database);
    let rest = Buffer.alloc(0);
    database.on('data', (data) => {
      const messages = splitMessages(Buffer.concat([rest, data]));
      rest = messages.rest;
      for (const message of messages.whole) {
        if (this.losesNotifications && message[0] === notification) continue;
        if (this.delayMs > 0) setTimeout(() => client.write(message), this.delayMs);
        else client.write(message);
      }
    });
  }
}

const notification = 'A'.codePointAt(0);

/** Each message of the server is a letter, its length in four bytes, and what it says. */
export function splitMessages(bytes: Buffer): { whole: Buffer[]; rest: Buffer<ArrayBuffer> } {
  const whole = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    whole.push(bytes.subarray(at, end));
    at = end;
  }
  return { whole, rest: Buffer.from(bytes.subarray(at)) };
}
