import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, type SqlQuery } from '@prisma/driver-adapter-utils';
import type * as Bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool, type QueryArrayConfig, type QueryArrayResult } from 'pg';
import { MigrationError, reason } from './migration-error.js';
import { withSessionSettings } from './session-settings.js';

// For development: the packaged service does not contain Prisma's schema engine.

/** The engine manages all tables and enums. */
const filters: Bindings.SchemaFilter = { externalTables: [], externalEnums: [] };

/** Returns the SQL that changes a database to a Prisma schema; `undefined` when they are the same. */
export async function missingSql(url: string, schemaPath: string): Promise<string | undefined> {
  const schema = { files: [{ path: schemaPath, content: await readFile(schemaPath, 'utf8') }] };
  try {
    const { stdout, exitCode } = await withSchemaEngine(url, (engine) =>
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
  }
}

let bindings: Promise<typeof Bindings> | undefined;
/** The bindings have one state per process, so uses must not overlap. */
let previousUse: Promise<unknown> = Promise.resolve();

/** Runs `use` with Prisma's schema engine on a database. */
export function withSchemaEngine<Result>(
  url: string,
  use: (engine: Bindings.SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const result = previousUse.then(async () => {
    const { SchemaEngine } = await (bindings ??= loadBindings());
    const pool = new Pool({ connectionString: withSessionSettings(url), max: 1 });
    const factory = bindMigrationAwareSqlAdapterFactory(new CatalogAdapter(pool));
    const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
    try {
      return await use(engine);
    } finally {
      engine.free();
      await pool.end();
    }
  });
  previousUse = result.catch(() => undefined);
  return result;
}

/** The package's own entry imports the .wasm file, which Node 20 cannot. Loaded on first use: it has five megabytes. */
async function loadBindings(): Promise<typeof Bindings> {
  const path = findEngine();
  const loaded = (await import(pathToFileURL(path).href)) as typeof Bindings;
  const bytes = await readFile(path.replace(/\.js$/, '.wasm'));
  reportPanics();
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': loaded });
  loaded.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return loaded;
}

// Node's types declare WebAssembly only together with the DOM.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

function findEngine(): string {
  try {
    // A bundle of this code is in another package, so look the dependency up from this package's manifest.
    const manifest = createRequire(import.meta.url).resolve('@petstore/migrate/package.json');
    return createRequire(manifest).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  } catch (cause) {
    throw new MigrationError("Prisma's schema engine is not installed. Run this command in the repository.", { cause });
  }
}

/** The engine reports a panic, which ends the process, to this global object. Prisma's client defines the same one. */
function reportPanics(): void {
  const shared = globalThis as { PRISMA_WASM_PANIC_REGISTRY?: { set_message(message: string): void } };
  shared.PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message) {
      throw new Error(message);
    },
  };
}

/** @prisma/adapter-pg 7.10 cannot read PostgreSQL's one-byte type "char", so these columns are presented as text. */
const charType = 18;
const textType = 25;

/** Prisma's adapter for pg, which can read the system catalogs. */
class CatalogAdapter extends PrismaPg {
  /** The indexes of the "char" columns of a result, by its rows. */
  private readonly charColumns = new WeakMap<unknown[][], number[]>();

  constructor(pool: Pool) {
    super(pool);
    const query = pool.query.bind(pool) as (config: QueryArrayConfig) => Promise<QueryArrayResult<unknown[]>>;
    Object.assign(pool, { query: async (config: QueryArrayConfig) => this.hideCharColumns(await query(config)) });
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    return Object.assign(adapter, {
      queryRaw: async (query: SqlQuery) => {
        const result = await queryRaw(query);
        const columns = this.charColumns.get(result.rows) ?? [];
        for (const column of columns) result.columnTypes[column] = ColumnTypeEnum.Character;
        return result;
      },
    });
  }

  /** The original would connect to the main database when a URL is given, and apply every migration there. */
  override connectToShadowDb(): Promise<never> {
    return Promise.reject(new Error('A shadow database is never used.'));
  }

  private hideCharColumns(result: QueryArrayResult<unknown[]>): QueryArrayResult<unknown[]> {
    const columns = [...result.fields.keys()].filter((column) => result.fields[column]?.dataTypeID === charType);
    for (const column of columns) Object.assign(result.fields[column] ?? {}, { dataTypeID: textType });
    this.charColumns.set(result.rows, columns);
    return result;
  }
}
