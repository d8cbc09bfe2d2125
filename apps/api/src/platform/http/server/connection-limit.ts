import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { CoalescedLog } from '../../logging/coalesced-log.js';
import { httpLimits } from './limits.js';

const lowLimit = 1000;

/** Limits the connections to what the process can open. Node closes further ones at once. */
export function limitConnections(server: Server, logger: Logger): void {
  const descriptors = descriptorLimit();
  const available = Math.max(1, descriptors - httpLimits.reservedDescriptors);
  const maxConnections = Math.min(available, httpLimits.maxConnections);
  if (descriptors < lowLimit) {
    logger.warn(
      { maxConnections },
      `This process may open only ${descriptors} files and connections. Raise the limit (ulimit -n) to ${lowLimit} or more.`,
    );
  }
  const drops = new CoalescedLog((dropped) =>
    logger.warn({ dropped }, `Dropped ${dropped} connections. The limit is ${maxConnections}.`),
  );
  server.on('drop', () => drops.add());
  if (cluster.isWorker) closeFurther(server, maxConnections);
  else server.maxConnections = maxConnections;
}

/** In a worker, `maxConnections` passes a connection on to the next worker, without end when all are full. */
function closeFurther(server: Server, maxConnections: number): void {
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    if (connections >= maxConnections) {
      server.emit('drop');
      socket.destroy();
      return;
    }
    connections += 1;
    socket.once('close', () => (connections -= 1));
  });
}

/** How many files and connections this process may open. */
function descriptorLimit(): number {
  // Node raises the soft limit to the hard limit at start, and has no function that returns it.
  const limits = process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : '';
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Infinity : Number(soft);
}
