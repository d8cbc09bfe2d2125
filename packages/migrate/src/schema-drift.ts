import { readFile } from 'node:fs/promises';
import { connect } from './connect.js';
import { MigrationError, reason } from './migration-error.js';
import { filters, withSchemaEngine } from './schema-engine.js';

/** Returns the SQL that changes a database to a Prisma schema; `undefined` when they are the same. */
export async function missingSql(url: string, schemaPath: string): Promise<string | undefined> {
  const schema = { files: [{ path: schemaPath, content: await readFile(schemaPath, 'utf8') }] };
  const { pool } = await connect(url);
  try {
    const { stdout, exitCode } = await withSchemaEngine(pool, (engine) =>
      engine.diff({
        from: { tag: 'schemaDatasource', configDir: '', ...schema },
        to: { tag: 'schemaDatamodel', ...schema },
        script: true,
        exitCode: true,
        filters,
      }),
    );
    // Each migration runs in a transaction, which a COMMIT inside would end early.
    return exitCode === 0 ? undefined : stdout?.replaceAll(/^(BEGIN|COMMIT);\n/gm, '');
  } catch (error) {
    const message = `The schema engine cannot compare the database with ${schemaPath}: ${reason(error)}`;
    throw new MigrationError(message, { cause: error });
  } finally {
    await pool.end();
  }
}
