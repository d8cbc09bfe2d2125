import { petLimits } from '@petstore/contracts';
import { apiKeyChannel } from './features/api-keys/api-keys.repository.js';
import type { BackupPlan } from './platform/database/backup/backup-format.js';
import type { DatabaseRights } from './platform/database/check-connections.js';

// What the features keep in the database.

/** The GRANT statements in docs/postgresql.md are these. */
export const databaseRights: DatabaseRights = {
  pet: ['SELECT', 'INSERT'],
  pet_count: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  api_key: ['SELECT', 'INSERT', 'UPDATE'],
  idempotency_record: ['SELECT', 'INSERT', 'DELETE'],
  _prisma_migrations: ['SELECT'],
  pet_id_seq: ['USAGE'],
  api_key_id_seq: ['USAGE'],
};

/** As in petNameFault of the contracts, by code points: what PostgreSQL counts as white space depends on its locale. */
const notBlank = String.raw`name ~ '[^\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]'`;

/**
 * Every table of prisma/schema.prisma is in one of the lists: a test checks this. A table that a migration drops stays for one
 * more release, for the backup before that migration. restore-backup.ts does not allow such a table yet.
 */
export const backupPlan: BackupPlan = {
  tables: [
    {
      name: 'pet',
      order: 'id',
      sequence: 'pet_id_seq',
      rule: `char_length(name) BETWEEN 1 AND ${petLimits.nameMaxLength} AND ${notBlank}`,
    },
    {
      name: 'api_key',
      order: 'id',
      sequence: 'api_key_id_seq',
      // No control characters, which a terminal would execute.
      rule: String.raw`char_length(name) BETWEEN 1 AND 100 AND name !~ '[\u0001-\u001F\u007F-\u009F]'`,
    },
    { name: 'idempotency_record', order: 'api_key_id, key COLLATE "C"' },
  ],
  rebuilt: ['pet_count'],
  mainTable: 'pet',
  changeChannel: apiKeyChannel,
};
