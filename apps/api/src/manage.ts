import { embeddedPostgresUrl } from '@petstore/embedded-postgres';
import { checkMigrations, ConnectionError } from '@petstore/migrate';
import { Command } from 'commander';
import { pino } from 'pino';
import { keysCommand } from './features/api-keys/api-keys.command.js';
import { ApiKeysRepository } from './features/api-keys/api-keys.repository.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { AuditLog } from './features/api-keys/audit-log.js';
import { Clock } from './platform/clock.js';
import { readConfig } from './platform/config/config.js';
import { backupCommand, restoreCommand } from './platform/database/backup/backup.command.js';
import { explainUnavailable } from './platform/database/database-error.js';
import { migrationCommand } from './platform/database/migration.command.js';
import { migrationsDirectory, withDatabase } from './platform/database/open-database.js';
import { DatabasePool } from './platform/database/pool.js';
import { PrismaService } from './platform/database/prisma.service.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { createLogger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import { commandLine } from './platform/product.js';

/** The program for everything except serving. `npm run keys` and the others start its commands. */
function createProgram(): Command {
  const program = new Command('manage').description('Manages the keys and the data of the service.');
  program.addCommand(keysCommand(withKeys));
  program.addCommand(backupCommand());
  program.addCommand(restoreCommand());
  program.command('database-url').description('Prints the URL of the database.').action(printDatabaseUrl);
  program.addCommand(migrationCommand());
  program
    .command('openapi')
    .description('Writes the OpenAPI document.')
    .argument('<file>')
    .action(async (file: string) => (await import('./create-app.js')).writeOpenApi(file));
  for (const command of program.commands) showUsage(command, command.name());
  return program;
}

/** Shows how a person runs each command. */
function showUsage(command: Command, name: string): void {
  command.showHelpAfterError().configureHelp({ commandUsage: () => commandLine(`${name} ${command.usage()}`) });
  for (const inner of command.commands) showUsage(inner, `${name} ${inner.name()}`);
}

function withKeys(use: (keys: ApiKeysService) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  // Standard output holds only the result.
  const logger = createLogger(config, pino.destination({ fd: 2, sync: true }));
  return withDatabase(config, async (url) => {
    const metrics = new Metrics();
    const pool = new DatabasePool(url, config, metrics);
    const repository = new ApiKeysRepository(new PrismaService(pool));
    try {
      await use(new ApiKeysService(repository, new Clock(), new AuditLog(logger), metrics)).catch(explainUnavailable);
    } finally {
      await pool.end();
    }
  });
}

/** Prints the URL, for psql and Prisma Studio. Starts nothing, and checks the schema only if the database responds. */
async function printDatabaseUrl(): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const url = databaseUrl ?? (await embeddedPostgresUrl(dataDir));
  // Even if the schema is wrong: the URL may be needed to repair it.
  console.log(url);
  const warning = await checkMigrations(url, migrationsDirectory).catch((error: unknown) => {
    if (!(error instanceof ConnectionError)) throw error;
  });
  if (warning !== undefined) console.error(warning);
}

await createProgram().parseAsync().catch(explainAndExit);
