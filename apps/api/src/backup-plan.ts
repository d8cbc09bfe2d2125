import { apiKeyChannel } from './features/api-keys/api-keys.repository.js';
import type { BackupPlan } from './platform/database/backup/backup-plan.js';

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
