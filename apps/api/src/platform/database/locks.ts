/** The advisory lock of Prisma's migrations: nothing changes the schema while it is held. */
export const migrationLock = 72_707_369;

/** The one who changes the key of `BOOTSTRAP_API_KEY`: not that of the migrations, which others may hold for long. */
export const bootstrapKeyLock = 72_707_370;
