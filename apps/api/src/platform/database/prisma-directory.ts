import { join } from 'node:path';
import { packageFolder } from '../process.js';

/** The directory `prisma/` of the repository. */
export const prismaDirectory = join(packageFolder, '../../prisma');
export const migrationsDirectory = join(prismaDirectory, 'migrations');
