import { readFile } from 'node:fs/promises';
import { connect } from './connect.js';
import { MigrationError, reason } from './migration-error.js';
import { filters, withSchemaEngine } from './schema-engine.js';

/** Names the SQL that brings a scratch database to a schema file, as the engine writes it; undefined when nothing is missing. */
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
    return exitCode === 0 ? undefined : withoutTransactions(stdout ?? '');
  } catch (error) {
    throw new MigrationError(`The schema engine cannot compare the database with ${schemaPath}: ${reason(error)}`, {
      cause: error,
    });
  } finally {
    await pool.end();
  }
}

/** Each migration runs in a transaction of its own, which a COMMIT inside would end half-way. */
function withoutTransactions(sql: string): string {
  return sql.replaceAll(/^(BEGIN|COMMIT);\n/gm, '');
}
