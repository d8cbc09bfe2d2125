import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execute } from '@petstore/processes/database.js';
import { runProgram } from '@petstore/processes/program.js';
import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';
import type { PgBouncer } from './pgbouncer.js';

const page = fileURLToPath(new URL('../../../docs/postgresql.md', import.meta.url));

interface Steps {
  databaseUrl: string;
  bouncer: PgBouncer;
  /** It has not started yet. */
  service: Service;
}

/** Follows docs/postgresql.md, and expects an error that names the step until it is done. */
export async function followSteps({ databaseUrl, bouncer, service }: Steps, tally: Tally): Promise<void> {
  const migrate = (url: string) => runProgram('manage.js', ['migration', 'apply'], { DATABASE_URL: url });
  const pooled = await migrate(bouncer.url);
  tally.expect(
    pooled.code !== 0 && pooled.stderr.includes('a connection pooler such as PgBouncer'),
    `a migration through PgBouncer exited with ${pooled.code}: ${pooled.stderr}`,
  );
  const direct = await migrate(databaseUrl);
  if (direct.code !== 0) throw new Error(direct.stderr);
  const code = await (await service.launch()).exited();
  tally.expect(
    code !== 0 && service.output.includes('ALTER ROLE'),
    `without the settings, the start exited with ${code}: ${service.output}`,
  );
  await execute(databaseUrl, await documentedSettings());
  await bouncer.restart();
}

async function documentedSettings(): Promise<string> {
  const statements = /### PgBouncer\n.*?```sql\n(.*?)```/s.exec(await readFile(page, 'utf8'))?.[1];
  if (statements === undefined) throw new Error('docs/postgresql.md has no settings for PgBouncer.');
  return statements;
}
