import type { BackupPlan } from './platform/database/backup/write-backup.js';
import type { DatabaseRights } from './platform/database/check-rights.js';
import type { DatabaseContent } from './platform/database/open-database.js';

/** The GRANT statements in docs/install.md are these. */
export const databaseRights: DatabaseRights = {
  pet: ['SELECT', 'INSERT'],
  api_key: ['SELECT', 'INSERT', 'UPDATE'],
  idempotency_record: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  _prisma_migrations: ['SELECT'],
  pet_id_seq: ['USAGE'],
  api_key_id_seq: ['USAGE'],
};

/**
 * Every table of prisma/schema.prisma is in one of the lists: a test checks this. A table that a migration drops stays for one
 * more release, for the backup before that migration. restore-backup.ts does not allow such a table yet.
 */
export const backupPlan: BackupPlan = {
  animals: 'pet',
  tables: ['pet', 'api_key', 'idempotency_record'],
  sequences: ['pet_id_seq', 'api_key_id_seq'],
};

/** What the features keep in the database. */
export const databaseContent: DatabaseContent = { rights: databaseRights, plan: backupPlan };
