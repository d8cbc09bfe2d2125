import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a directory with these migrations, by name, for one test. */
export async function migrationFolder(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-migrations-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await addMigrations(folder, migrations);
  return folder;
}

/** Adds or replaces migrations. */
export async function addMigrations(folder: string, migrations: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'migration.sql'), sql);
  }
}
