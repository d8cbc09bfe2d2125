import { NestFactory } from '@nestjs/core';
import { embeddedPostgresUrl } from '@petstore/embedded-postgres';
import { checkMigrations, ConnectionError } from '@petstore/migrate';
import { Command } from 'commander';
import { pino } from 'pino';
import { backupPlan, databaseRights } from './database-content.js';
import { keysCommand } from './features/api-keys/api-keys.command.js';
import { StoredKeysModule } from './features/api-keys/api-keys.module.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { restoredKeysText } from './features/api-keys/api-keys.text.js';
import { Clock } from './platform/clock.js';
import { readConfig } from './platform/config/config.js';
import { backupCommand, restoreCommand } from './platform/database/backup/backup.command.js';
import { explainUnavailable } from './platform/database/database-error.js';
import { migrationCommand } from './platform/database/migration.command.js';
import { migrationsDirectory, withDatabase } from './platform/database/open-database.js';
import { withLibpqSslModes } from './platform/database/pool.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { createLogger, NestLogger } from './platform/logging/logger.js';
import { PlatformModule } from './platform/platform.module.js';
import { withProgramNames } from './platform/product.js';

const databaseContent = { rights: databaseRights, backup: backupPlan };

/** The program for everything except serving. `npm run keys` and the others start its commands. */
function createProgram(): Command {
  const program = new Command('manage').description('Manages the keys and the data of the service.');
  program.addCommand(keysCommand(withKeys));
  program.addCommand(backupCommand(databaseContent));
  program.addCommand(restoreCommand(databaseContent, describeRestoredKeys));
  program.command('database-url').description('Prints the URL of the database.').action(printDatabaseUrl);
  program.addCommand(migrationCommand(backupPlan));
  program
    .command('openapi')
    .description('Writes the OpenAPI document.')
    .argument('<file>')
    .action(async (file: string) => (await import('./create-app.js')).writeOpenApi(file));
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
  return ['npm run', script.replace('-', ':'), '--', ...rest, command.usage()].join(' ');
}

function commandNames(command: Command): string[] {
  return [...(command.parent ? commandNames(command.parent) : []), command.name()];
}

function withKeys(use: (keys: ApiKeysService) => Promise<void>): Promise<void> {
  return withDatabase(readConfig(process.env), databaseContent, (url) => withKeysOf(url, use));
}

async function describeRestoredKeys(databaseUrl: string): Promise<string> {
  const keys = await withKeysOf(databaseUrl, (service) => service.list());
  return withProgramNames(restoredKeysText(keys, new Date()));
}

/** Uses the keys of a database that responds. */
async function withKeysOf<Result>(
  databaseUrl: string,
  use: (keys: ApiKeysService) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env);
  // Standard output holds only the result.
  const logger = createLogger(config, pino.destination({ fd: 2, sync: true }));
  const platform = PlatformModule.register({ config, databaseUrl, logger, clock: new Clock() });
  const context = await NestFactory.createApplicationContext(
    { module: StoredKeysModule, imports: [platform] },
    { logger: new NestLogger(logger), abortOnError: false },
  );
  try {
    return await use(context.get(ApiKeysService)).catch(explainUnavailable);
  } finally {
    await context.close();
  }
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
