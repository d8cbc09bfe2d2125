import type { DatabaseRights } from './platform/database/check-rights.js';

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
