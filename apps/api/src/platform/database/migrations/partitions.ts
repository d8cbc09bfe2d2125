import type { Pool } from 'pg';

/** Of a table and a partitioned table that it is a partition of. */
interface Joint {
  names: readonly string[];
  detach: string;
  attach: string;
}

const joints = `
  SELECT ARRAY[child.relname, parent.relname]::text[] AS names,
    format('ALTER TABLE %s DETACH PARTITION %s;', parent.oid::regclass, child.oid::regclass) AS detach,
    format('ALTER TABLE %s ATTACH PARTITION %s %s;', parent.oid::regclass, child.oid::regclass,
      pg_get_expr(child.relpartbound, child.oid)) AS attach
  FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid JOIN pg_class AS parent ON parent.oid = inhparent
  WHERE child.relispartition AND child.relkind = 'r'
  ORDER BY 1`;

/**
 * Lets `findMissing` see each partition of a scratch database as a table of its own: Prisma's schema engine sees none, and
 * PostgreSQL changes no columns of one. The SQL that it gives takes those apart that it names, and puts them together again.
 */
export async function withoutPartitions(
  pool: Pool,
  findMissing: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const { rows } = await pool.query<Joint>(joints);
  for (const { detach } of rows) await pool.query(detach);
  const sql = await findMissing();
  for (const { attach } of rows) await pool.query(attach);
  const named = rows.filter(({ names }) => names.some((name) => sql?.includes(`"${name}"`)));
  if (sql === undefined || named.length === 0) return sql;
  return [...named.map(({ detach }) => detach), sql, ...named.map(({ attach }) => attach), ''].join('\n');
}
