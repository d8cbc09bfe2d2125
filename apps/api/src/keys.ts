import { pino } from 'pino';
import { keysCommand } from './features/api-keys/api-keys.command.js';
import { ApiKeysRepository } from './features/api-keys/api-keys.repository.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { AuditLog } from './features/api-keys/audit-log.js';
import { Clock } from './platform/clock/clock.js';
import { readConfig } from './platform/config/config.js';
import { databaseRights } from './database-rights.js';
import { attachDatabase } from './platform/database/open-database.js';
import { PrismaService } from './platform/database/prisma.service.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { createLogger } from './platform/logging/logger.js';

/** The keys command: `npm run keys -- --help`. Works while the service runs, and while it does not. */
async function withKeys(use: (keys: ApiKeysService) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const database = await attachDatabase(config, (line) => console.error(line), databaseRights);
  const { databaseStatementTimeoutMs: statementTimeoutMs } = config;
  // Standard output holds only the result.
  const logger = createLogger(config, pino.destination({ fd: 2, sync: true }));
  const prisma = new PrismaService({ url: database.url, max: 1, statementTimeoutMs });
  try {
    await use(new ApiKeysService(new ApiKeysRepository(prisma), new Clock(), new AuditLog(logger)));
  } finally {
    await prisma.close();
    await database.close();
  }
}

await keysCommand(withKeys).parseAsync().catch(explainAndExit);
