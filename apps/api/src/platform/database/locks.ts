/** The advisory lock of Prisma's migrations: nothing changes the schema while it is held. */
export const migrationLock = 72_707_369;
