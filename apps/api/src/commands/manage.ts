import { embeddedPostgresUrl } from '@petstore/embedded-postgres';
import { checkMigrations, ConnectionError } from '@petstore/migrate';
import { Command } from 'commander';
import { pino } from 'pino';
import { databaseRights } from '../database-content.js';
import { keysCommand } from '../features/api-keys/api-keys.command.js';
import { ApiKeysRepository } from '../features/api-keys/api-keys.repository.js';
import { ApiKeysService } from '../features/api-keys/api-keys.service.js';
import { AuditLog } from '../features/api-keys/audit-log.js';
import { type Recount, recountPets } from '../features/pets/pet-counts.js';
import { Clock } from '../platform/clock.js';
import { readConfig } from '../platform/config/config.js';
import { migrationsDirectory, withDatabase } from '../platform/database/open-database.js';
import { withLibpqSslModes } from '../platform/database/pool.js';
import { withPrisma } from '../platform/database/prisma.service.js';
import { explainAndExit } from '../platform/errors/startup-error.js';
import { createLogger } from '../platform/logging/logger.js';
import { withProgramNames } from '../platform/process.js';
import { backupCommand, restoreCommand } from './backup.js';
import { migrationCommand } from './migration.js';

/** The program for everything except serving. `npm run keys` and the others start its commands. */
function createProgram(): Command {
  const program = new Command('manage').description('Manages the keys and the data of the service.');
  program.addCommand(keysCommand(withKeys));
  program.addCommand(backupCommand());
  program.addCommand(restoreCommand());
  program.command('recount').description('Recounts the animals and corrects the totals of lists.').action(recount);
  program.command('database-url').description('Prints the URL of the database.').action(printDatabaseUrl);
  program.addCommand(migrationCommand());
  program
    .command('openapi')
    .description('Writes the OpenAPI document.')
    .argument('<file>')
    .action(async (file: string) => (await import('./openapi.js')).writeOpenApi(file));
  program.commands.forEach(explainAsNpmScript);
  return program;
}

/** A script of package.json runs each command. Commands of `migration` have their own scripts. */
function explainAsNpmScript(command: Command): void {
  command
    .showHelpAfterError()
    .configureHelp({ commandUsage: usage })
    .configureOutput({
      writeOut: (text) => process.stdout.write(withProgramNames(text)),
      writeErr: (text) => process.stderr.write(withProgramNames(text)),
    });
  command.commands.forEach(explainAsNpmScript);
}

function usage(command: Command): string {
  const [, script = '', ...rest] = commandNames(command);
  if (script === 'migration') return 'npm run migration:new -- <name>, migration:check, migration:apply';
  return ['npm run', script, '--', ...rest, command.usage()].join(' ');
}

function commandNames(command: Command): string[] {
  return [...(command.parent ? commandNames(command.parent) : []), command.name()];
}

function withKeys(use: (keys: ApiKeysService) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  // Standard output holds only the result.
  const audit = new AuditLog(createLogger(config, pino.destination({ fd: 2, sync: true })));
  const { databaseStatementTimeoutMs: statementTimeoutMs } = config;
  return withDatabase(config, { rights: databaseRights }, (url) =>
    withPrisma({ url, statementTimeoutMs }, (prisma) =>
      use(new ApiKeysService(new ApiKeysRepository(prisma), new Clock(), audit)),
    ),
  );
}

async function recount(): Promise<void> {
  const counts = await withDatabase(readConfig(process.env), { rights: databaseRights }, recountPets);
  for (const count of counts) console.log(describe(count));
  if (counts.length === 0) console.log('There are no animals.');
}

function describe({ status, before, actual }: Recount): string {
  const correction = before === actual ? '' : `, corrected from ${before}`;
  return `${status.padEnd(9)} ${actual}${correction}`;
}

/** For psql and Prisma Studio. Starts nothing: checks the schema only if the database responds. */
async function printDatabaseUrl(): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const url = databaseUrl ?? (await embeddedPostgresUrl(dataDir));
  // Even if the schema is wrong: the URL may be needed to repair it.
  console.log(url);
  const warning = await checkMigrations(withLibpqSslModes(url), migrationsDirectory).catch((error: unknown) => {
    if (!(error instanceof ConnectionError)) throw error;
  });
  if (warning !== undefined) console.error(warning);
}

await createProgram().parseAsync().catch(explainAndExit);
