import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Cleanup } from '@petstore/processes/cleanup.js';

/** A port that forwards connections to the service and counts them. */
export interface CountedPort {
  readonly port: number;
  readonly connections: () => number;
  /** The connections that the service closed before the client did. */
  readonly closedByService: () => number;
}

export async function countConnections(cleanup: Cleanup, servicePort: number): Promise<CountedPort> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let closedByService = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(servicePort, '127.0.0.1');
    upstream.once('end', () => {
      if (!client.readableEnded) closedByService += 1;
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      // An error of one side ends the other, as without this port.
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  await cleanup.own(
    async () => once(server.listen(0, '127.0.0.1'), 'listening'),
    () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  );
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => connections, closedByService: () => closedByService };
}
