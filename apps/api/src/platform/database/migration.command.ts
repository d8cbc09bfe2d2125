import { join, relative } from 'node:path';
import { checkName, writeMigration } from '@petstore/migrate/migration-files.js';
import { Command } from 'commander';
import { readConfig } from '../config/config.js';
import type { BackupPlan } from './backup/write-backup.js';
import { migrateDatabase, migrationsDirectory, prismaDirectory } from './open-database.js';
import { withScratchDatabase } from './scratch-database.js';

export function migrationCommand(plan: BackupPlan): Command {
  const command = new Command('migration').description(
    'Writes, checks and applies migrations. The commands new and check use a temporary database.',
  );
  command
    .command('new')
    .description('Writes a migration with the changes in prisma/schema.prisma.')
    .argument('<name>', 'what it does, such as add_weight')
    .action(write);
  command.command('check').description('Exits with 1 unless the migrations match prisma/schema.prisma.').action(check);
  command
    .command('apply')
    .description('Applies the migrations to the database of the service, as its start does.')
    .action(() => apply(plan));
  return command;
}

async function write(name: string): Promise<void> {
  checkName(name);
  const sql = await missingMigration();
  if (sql === undefined) return print('Nothing to write: the migrations match prisma/schema.prisma.');
  const path = await writeMigration(migrationsDirectory, name, sql);
  print(`Wrote ${relative(process.cwd(), path)}. Review it. Never edit it after it was applied to a database.`);
}

async function check(): Promise<void> {
  const sql = await missingMigration();
  if (sql === undefined) return print('The migrations match prisma/schema.prisma.');
  print(
    `The migrations do not match prisma/schema.prisma. Run "npm run migration:new -- NAME". Missing SQL:\n\n${sql}`,
  );
  process.exitCode = 1;
}

async function apply(plan: BackupPlan): Promise<void> {
  await migrateDatabase(readConfig(process.env), print, plan);
  print('The database has the schema of this version.');
}

/** The SQL that the migrations lack. The packaged service does not contain the schema engine that finds it. */
async function missingMigration(): Promise<string | undefined> {
  const { missingSql } = await import('@petstore/migrate/schema-drift.js');
  return withScratchDatabase((url) => missingSql(url, join(prismaDirectory, 'schema.prisma')));
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`);
}
