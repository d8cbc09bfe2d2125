import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import type { Cleanup } from '@petstore/processes/cleanup.js';

/** Opens a port that forwards connections to a server. Returns it, and a function that counts them. */
export async function openForwardingPort(cleanup: Cleanup, target: NetConnectOpts) {
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(target);
    sockets.push(client, upstream);
    // An error of one side ends the other, as without this port.
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => client.destroy()).pipe(client);
  });
  await cleanup.own(
    async () => once(server.listen(0, '127.0.0.1'), 'listening'),
    () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  );
  return { port: (server.address() as AddressInfo).port, count: () => sockets.length / 2 };
}
