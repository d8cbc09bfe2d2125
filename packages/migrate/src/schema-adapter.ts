import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, DriverAdapterError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;

/** @prisma/adapter-pg 7.10 cannot read PostgreSQL's one-byte type "char", so these columns are presented as text. */
const charType = 18;
const textType = 25;

interface QueryFailure {
  error: unknown;
  /** The rejected script, unless the engine's own query failed. */
  script?: string;
}

/** Prisma's adapter for pg, with the fixes that the schema engine needs, on the one session of `pool`. */
export class SchemaAdapter extends PrismaPg {
  /** The first error of PostgreSQL. The engine may report a later one that it caused. */
  failure: QueryFailure | undefined;

  private queryMode: 'simple' | 'extended' = 'simple';
  /** The indexes of the "char" columns of a result, by its rows. */
  private readonly charColumns = new WeakMap<unknown[][], number[]>();

  constructor(private readonly pool: pg.Pool) {
    super(pool);
    const query = pool.query.bind(pool);
    Object.assign(pool, {
      query: (config: pg.QueryArrayConfig, values?: unknown[]) => this.watch(query(config, values)),
    });
  }

  /** The extended protocol accepts exactly one statement, which is what a script without a transaction must hold. */
  prepareFor({ isTransactional }: { isTransactional: boolean }): void {
    this.failure = undefined;
    this.queryMode = isTransactional ? 'simple' : 'extended';
  }

  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    return Object.assign(adapter, {
      queryRaw: async (query: SqlQuery) => this.withCharColumns(await queryRaw(query)),
      executeScript: (script: string) => this.executeScript(script),
    });
  }

  /** The original would connect to the main database when a URL is given, and apply every migration there. */
  override connectToShadowDb(): Promise<never> {
    return Promise.reject(new Error('A shadow database is never used.'));
  }

  /** Sends one query: the original splits the script at each semicolon, even in functions and strings. */
  private async executeScript(script: string): Promise<void> {
    try {
      await this.pool.query({ text: script, queryMode: this.queryMode } as pg.QueryConfig);
    } catch (error) {
      this.failure = { error, script };
      const { message } = error as Error;
      const nothingMore = { detail: undefined, column: undefined, hint: undefined };
      throw new DriverAdapterError({ kind: 'postgres', code: '', severity: 'ERROR', message, ...nothingMore });
    }
  }

  private async watch(query: Promise<pg.QueryArrayResult>) {
    try {
      const result = await query;
      this.hideCharColumns(result);
      return result;
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }

  /** A script returns a list of results, which nothing reads. */
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
