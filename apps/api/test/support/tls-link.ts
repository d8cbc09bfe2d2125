import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { certificate, privateKey } from '@petstore/processes/tls-certificate.js';
import { onTestFinished } from 'vitest';

/** A database server with TLS: forwards connections to a server without. Returns its URL. */
export async function startTlsLink(databaseUrl: string): Promise<URL> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host') ?? '';
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    // The request for TLS; the response S accepts it.
    socket.once('data', () => {
      socket.write('S');
      const client = new TLSSocket(socket, { isServer: true, key: privateKey, cert: certificate });
      const database = connect(`${folder}/.s.PGSQL.5432`);
      sockets.push(socket, database);
      for (const end of [client, database, socket]) end.on('error', () => socket.destroy());
      client.pipe(database).pipe(client);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  target.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  target.searchParams.delete('host');
  return target;
}
