import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Cleanup } from '@petstore/processes/cleanup.js';

/** A port that forwards connections to another one and counts them. */
export interface CountedPort {
  readonly port: number;
  readonly connections: () => number;
}

export async function countConnections(cleanup: Cleanup, target: number): Promise<CountedPort> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(target, '127.0.0.1');
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
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}
