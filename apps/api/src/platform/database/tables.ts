// The tables and sequences of prisma/schema.prisma. A new table belongs in both lists.

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'USAGE';

/** The rights that the service needs. The GRANT statements in docs/install.md are these. */
export const databaseRights: Readonly<Record<string, readonly Right[]>> = {
  pet: ['SELECT', 'INSERT'],
  api_key: ['SELECT', 'INSERT', 'UPDATE'],
  idempotency_record: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  _prisma_migrations: ['SELECT'],
  pet_id_seq: ['USAGE'],
  api_key_id_seq: ['USAGE'],
};

/**
 * What a backup holds, in the order of a restore: a table comes after those that it refers to. A backup fails if a table is
 * missing here. A table that a migration drops stays for one more release, for the backup before that migration.
 * restore-backup.ts does not allow such a table yet.
 */
export const backupTables = ['pet', 'api_key', 'idempotency_record'];
export const backupSequences = ['pet_id_seq', 'api_key_id_seq'];
