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

/** Every table of prisma/schema.prisma is in one of the lists: a test checks this. */
export const backupPlan: BackupPlan = {
  tables: [
    { name: 'pet', order: 'id', sequence: 'pet_id_seq' },
    { name: 'api_key', order: 'id', sequence: 'api_key_id_seq' },
    { name: 'idempotency_record', order: 'api_key_id, key COLLATE "C"' },
  ],
  rebuilt: ['pet_count'],
  mainTable: 'pet',
  changeChannel: apiKeyChannel,
};
