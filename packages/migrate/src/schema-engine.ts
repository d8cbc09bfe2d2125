import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type * as Bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
import { SchemaAdapter } from './schema-adapter.js';

/** The engine manages all tables and enums. */
export const filters: Bindings.SchemaFilter = { externalTables: [], externalEnums: [] };

type Use<Result> = (engine: Bindings.SchemaEngine, adapter: SchemaAdapter) => Promise<Result>;

// Node's types declare WebAssembly only together with the DOM.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

let bindings: Promise<typeof Bindings> | undefined;
/** The bindings have one state per process, so uses must not overlap. */
let previousUse: Promise<unknown> = Promise.resolve();

/** Runs `use` with Prisma's schema engine on the session of `pool`, which stays open. */
export function withSchemaEngine<Result>(pool: pg.Pool, use: Use<Result>): Promise<Result> {
  const result = previousUse.then(() => useEngine(pool, use));
  previousUse = result.catch(() => undefined);
  return result;
}

async function useEngine<Result>(pool: pg.Pool, use: Use<Result>): Promise<Result> {
  const { SchemaEngine } = await (bindings ??= loadBindings());
  const adapter = new SchemaAdapter(pool);
  const factory = bindMigrationAwareSqlAdapterFactory(adapter);
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
  try {
    return await use(engine, adapter);
  } finally {
    engine.free();
  }
}

/** The package's own entry imports the .wasm file, which Node 20 cannot. Loaded on first use: it has five megabytes. */
async function loadBindings(): Promise<typeof Bindings> {
  // A bundle of this code is in another package, so look the dependency up from this package's manifest.
  const manifest = createRequire(import.meta.url).resolve('@petstore/migrate/package.json');
  const path = createRequire(manifest).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const loaded = (await import(pathToFileURL(path).href)) as typeof Bindings;
  const bytes = await readFile(path.replace(/\.js$/, '.wasm'));
  reportPanics();
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': withUnrefTimers(loaded) });
  loaded.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return loaded;
}

/** The engine's lock timeout leaves a timer of ten seconds, which would keep the process alive. */
function withUnrefTimers(imports: object): object {
  const timers = Object.keys(imports).filter((name) => name.startsWith('__wbg_setTimeout_'));
  const setTimer = (run: () => void, ms: number) => setTimeout(run, ms).unref();
  return { ...imports, ...Object.fromEntries(timers.map((name) => [name, setTimer])) };
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
