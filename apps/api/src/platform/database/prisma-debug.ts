import { debuglog } from 'node:util';

/**
 * What Prisma says of its work, in the place of its own `@prisma/debug` (rolldown.config.ts): that one keeps the last
 * hundred statements with their values, and took 4 µs for each. NODE_DEBUG=prisma* has Node write it.
 */
export const Debug = debuglog;
