import { pino } from 'pino';
import { databaseRights } from './database-rights.js';
import { keysCommand } from './features/api-keys/api-keys.command.js';
import { ApiKeysRepository } from './features/api-keys/api-keys.repository.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { AuditLog } from './features/api-keys/audit-log.js';
import { Clock } from './platform/clock.js';
import { readConfig } from './platform/config/config.js';
import { withDatabase } from './platform/database/attach-database.js';
import { withPrisma } from './platform/database/prisma.service.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { createLogger } from './platform/logging/logger.js';

/** The keys command: `npm run keys -- --help`. It works whether or not the service is running. */
function withKeys(use: (keys: ApiKeysService) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  // Standard output holds only the result.
  const audit = new AuditLog(createLogger(config, pino.destination({ fd: 2, sync: true })));
  const { databaseStatementTimeoutMs: statementTimeoutMs } = config;
  return withDatabase(config, databaseRights, (url) =>
    withPrisma({ url, statementTimeoutMs }, (prisma) =>
      use(new ApiKeysService(new ApiKeysRepository(prisma), new Clock(), audit)),
    ),
  );
}

await keysCommand(withKeys).parseAsync().catch(explainAndExit);
