import { statSync } from 'node:fs';

/*
 * After a stat of a pipe or a socket, Node does not follow the symbolic links of packages (nodejs/node#51142). The previous
 * file of this worker may have removed such a file. A second copy of pg would then be loaded, and Prisma would not recognize
 * the pool of the service, but connect to localhost:5432. A stat of a directory restores
 * this.
 */
statSync(import.meta.dirname);
