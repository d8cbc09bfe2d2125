import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checkName, writeMigration } from '@petstore/migrate/migration-files.js';
import { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { commandLine } from '../product.js';
import { migrationsDirectory, prismaDirectory, withMigratedDatabase } from './open-database.js';

export function migrationCommand(): Command {
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
    .action(apply);
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
    `The migrations do not match prisma/schema.prisma. Run "${commandLine('migration new NAME')}". Missing SQL:\n\n${sql}`,
  );
  process.exitCode = 1;
}

async function apply(): Promise<void> {
  await withMigratedDatabase(readConfig(process.env), print, () => Promise.resolve());
  print('The database has the schema of this version.');
}

/**
 * Applies the migrations to a temporary database. Returns the SQL that they lack.
 * The packaged service does not contain the schema engine that finds it.
 */
async function missingMigration(): Promise<string | undefined> {
  const { missingSql } = await import('@petstore/migrate/schema-drift.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-scratch-'));
  // This also runs after an interruption, which closes the database first.
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const config = { ...readConfig({}), dataDir };
  return withMigratedDatabase(
    config,
    () => undefined,
    (url) => missingSql(url, join(prismaDirectory, 'schema.prisma')),
  );
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`);
}
