import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { CoalescedLog } from '../../logging/coalesced-log.js';
import { httpLimits } from './limits.js';

const lowLimit = 1000;

/** Limits the connections to what the process can open. Node closes further ones at once. */
export function limitConnections(server: Server, logger: Logger): void {
  const descriptors = descriptorLimit();
  const available = Math.max(1, descriptors - httpLimits.reservedDescriptors);
  server.maxConnections = Math.min(available, httpLimits.maxConnections);
  if (descriptors < lowLimit) {
    logger.warn(
      { maxConnections: server.maxConnections },
      `This process may open only ${descriptors} files and connections. Raise the limit (ulimit -n) to ${lowLimit} or more.`,
    );
  }
  const drops = new CoalescedLog((dropped) =>
    logger.warn({ dropped }, `Dropped ${dropped} connections. The limit is ${server.maxConnections}.`),
  );
  server.on('drop', () => drops.add());
}

/** How many files and connections this process may open. */
function descriptorLimit(): number {
  // Node raises the soft limit to the hard limit at start, and has no function that returns it.
  const limits = process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : '';
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Infinity : Number(soft);
}
