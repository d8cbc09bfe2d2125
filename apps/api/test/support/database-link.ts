import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@petstore/test-kit/program.js';

/** A TCP proxy between a service and its database, which tests can cut and restore. */
export class DatabaseLink {
  /** The delay of everything that the database sends. Change it while nothing is under way: the order would change. */
  delayMs = 0;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private readonly port: number,
  ) {}

  static async to(databaseUrl: string): Promise<DatabaseLink> {
    const link = new DatabaseLink(new URL(databaseUrl), await freePort());
    await link.mend();
    return link;
  }

  /** The URL of the database through this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    url.searchParams.delete('host');
    return url.href;
  }

  /** Closes every connection. New ones are refused until `mend`. */
  async cut(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    this.server = createServer((client) => this.join(client)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private join(client: Socket): void {
    const folder = this.target.searchParams.get('host');
    const port = Number(this.target.port || 5432);
    const database = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, this.target.hostname);
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket
        // With delay, each of several messages waits up to 40 ms for the acknowledgement of the one before.
        .setNoDelay()
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(socket);
          client.destroy();
          database.destroy();
        });
    }
    client.pipe(database);
    database.on('data', (data) => {
      if (this.delayMs > 0) setTimeout(() => client.write(data), this.delayMs);
      else client.write(data);
    });
  }
}
