import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, DriverAdapterError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import pg from 'pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;

/** PostgreSQL's type "char" of one byte, which @prisma/adapter-pg 7.10 refuses to read, and one that it reads. */
const charType = 18;
const textType = 25;

export interface QueryFailure {
  error: unknown;
  /** The script that was refused; not there when it was a query of the engine's own. */
  script?: string;
}

/** Prisma's adapter for pg with what its schema engine needs put right; it works on the one session of `pool`. */
export class SchemaAdapter extends PrismaPg {
  /** What PostgreSQL refused first, where the engine tells only what followed from it. */
  failure: QueryFailure | undefined;

  /** The places of "char" in a result, by its rows. */
  private readonly charColumns = new WeakMap<unknown[][], number[]>();

  constructor(private readonly pool: pg.Pool) {
    super(pool);
    const query = pool.query.bind(pool);
    Object.assign(pool, {
      query: (config: pg.QueryArrayConfig, values?: unknown[]) => this.watch(config, query(config, values)),
    });
  }

  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    return Object.assign(adapter, {
      queryRaw: async (query: SqlQuery) => this.withCharColumns(await queryRaw(query)),
      executeScript: (script: string) => this.executeScript(script),
    });
  }

  /** The adapter's own would connect to the main database where a URL is given, and run every migration there. */
  override connectToShadowDb(): Promise<never> {
    return Promise.reject(new Error('A shadow database is never used.'));
  }

  /** In one query, so that functions and texts may hold semicolons: the adapter's own splits at each. */
  private async executeScript(script: string): Promise<void> {
    try {
      await this.pool.query(script);
    } catch (error) {
      const { message } = error as Error;
      const nothingMore = { detail: undefined, column: undefined, hint: undefined };
      throw new DriverAdapterError({ kind: 'postgres', code: '', severity: 'ERROR', message, ...nothingMore });
    }
  }

  private async watch(sql: pg.QueryArrayConfig | string, answer: Promise<pg.QueryArrayResult>) {
    try {
      const result = await answer;
      this.hideCharColumns(result);
      return result;
    } catch (error) {
      this.failure ??= { error, ...(typeof sql === 'string' && { script: sql }) };
      throw error;
    }
  }

  /** A script has a list of results, or none, and nobody reads them. */
  private hideCharColumns({ fields, rows }: Partial<pg.QueryArrayResult>): void {
    if (!fields || !rows) return;
    const columns = [...fields.keys()].filter((column) => fields[column]?.dataTypeID === charType);
    this.charColumns.set(rows, columns);
    for (const column of columns) Object.assign(fields[column] ?? {}, { dataTypeID: textType });
  }

  private withCharColumns(result: SqlResultSet): SqlResultSet {
    for (const column of this.charColumns.get(result.rows) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character;
    return result;
  }
}
