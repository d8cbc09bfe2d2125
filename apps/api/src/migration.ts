import { join, relative } from 'node:path';
import { Command } from 'commander';
import { readConfig } from './platform/config/config.js';
import { migrate } from './platform/database/migrations/migrate.js';
import { migrationsDirectory, prismaDirectory } from './platform/database/migrations/migration-files.js';
import { checkName, writeMigration } from './platform/database/migrations/new-migration.js';
import { missingSql } from './platform/database/migrations/schema-drift.js';
import { withScratchDatabase } from './platform/database/migrations/scratch-server.js';
import { visitDatabase } from './platform/database/open-database.js';
import { explainAndExit } from './platform/errors/startup-error.js';

const program = new Command()
  .description(
    'Writes, checks and applies migrations. To write and check, they are replayed on a scratch database, made on the ' +
      'server of TEST_DATABASE_URL, or else on a PostgreSQL that is started for it.',
  )
  .configureHelp({ commandUsage: () => 'npm run migration:new -- <name>, migration:check, migration:apply' })
  .showHelpAfterError();

program
  .command('new')
  .description('Writes the migration that leads from the present ones to prisma/schema.prisma.')
  .argument('<name>', 'what it does, such as add_weight')
  .action(async (name: string) => {
    checkName(name);
    const sql = await missingAfterAll();
    if (sql === undefined) return print('Nothing to write: the migrations give exactly prisma/schema.prisma.');
    const path = await writeMigration(migrationsDirectory, name, sql);
    print(`Wrote ${relative(process.cwd(), path)}. Review it: once it has run on a database, it is never changed.`);
  });

program
  .command('check')
  .description('Exits with 1 unless the migrations give exactly prisma/schema.prisma.')
  .action(async () => {
    const sql = await missingAfterAll();
    if (sql === undefined) return print('The migrations give exactly prisma/schema.prisma.');
    print(
      `The migrations do not give prisma/schema.prisma. Run "npm run migration:new -- NAME": this is missing:\n\n${sql}`,
    );
    process.exitCode = 1;
  });

program
  .command('apply')
  .description('Brings the database of the service to the schema of this version, as its start does.')
  .action(async () => {
    const database = await visitDatabase(readConfig({ ...process.env, MIGRATE_ON_START: 'true' }), print);
    await database.close();
    print('The database has the schema of this version.');
  });

function missingAfterAll(): Promise<string | undefined> {
  return withScratchDatabase(process.env['TEST_DATABASE_URL'] || undefined, async (url) => {
    await migrate(url, { directory: migrationsDirectory, log: () => undefined });
    return missingSql(url, join(prismaDirectory, 'schema.prisma'));
  });
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`);
}

await program.parseAsync().catch(explainAndExit);
