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

/** Returns the SQL that changes a database to a Prisma schema; `undefined` when they are the same. Do not overlap calls. */
export async function missingSql(url: string, schemaPath: string): Promise<string | undefined> {
  const { SchemaEngine } = await (bindings ??= loadBindings());
  const schema = { files: [{ path: schemaPath, content: await readFile(schemaPath, 'utf8') }] };
  const pool = new Pool({ connectionString: withSessionSettings(url), max: 1 });
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(new CatalogAdapter(pool));
    const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'schemaDatasource', configDir: '', ...schema },
      to: { tag: 'schemaDatamodel', ...schema },
      script: true,
      exitCode: true,
      // The engine manages all tables and enums.
      filters: { externalTables: [], externalEnums: [] },
    });
    // Each migration runs in a transaction, which a COMMIT inside would end early.
    return exitCode === 0 ? undefined : stdout?.replaceAll(/^(BEGIN|COMMIT);\n/gm, '');
  } catch (error) {
    const message = `The schema engine cannot compare the database with ${schemaPath}: ${reason(error)}`;
    throw new MigrationError(message, { cause: error });
  } finally {
    await pool.end();
  }
}

let bindings: Promise<typeof Bindings> | undefined;

/** The package's own entry imports the .wasm file, which Node 20 cannot. */
async function loadBindings(): Promise<typeof Bindings> {
  // A bundle of this code is in another package, so look the dependency up from this package's manifest.
  const manifest = createRequire(import.meta.url).resolve('@petstore/migrate/package.json');
  const path = createRequire(manifest).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const loaded = (await import(pathToFileURL(path).href)) as typeof Bindings;
  const bytes = await readFile(path.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': loaded });
  loaded.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return loaded;
}

// Node's types declare WebAssembly only together with the DOM.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

/** @prisma/adapter-pg 7.10 cannot read PostgreSQL's one-byte type "char", so these columns are presented as text. */
const charType = 18;
const textType = 25;

/** Prisma's adapter for pg, which can read the system catalogs. It runs one query at a time. */
class CatalogAdapter extends PrismaPg {
  /** The indexes of the "char" columns of the latest result. */
  private charColumns: number[] = [];

  constructor(pool: Pool) {
    super(pool);
    const query = pool.query.bind(pool) as (config: QueryArrayConfig) => Promise<QueryArrayResult>;
    Object.assign(pool, { query: async (config: QueryArrayConfig) => this.hideCharColumns(await query(config)) });
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    return Object.assign(adapter, {
      queryRaw: async (query: SqlQuery) => {
        const result = await queryRaw(query);
        for (const column of this.charColumns) result.columnTypes[column] = ColumnTypeEnum.Character;
        return result;
      },
    });
  }

  private hideCharColumns(result: QueryArrayResult): QueryArrayResult {
    this.charColumns = [...result.fields.keys()].filter((column) => result.fields[column]?.dataTypeID === charType);
    for (const column of this.charColumns) Object.assign(result.fields[column] ?? {}, { dataTypeID: textType });
    return result;
  }
}
