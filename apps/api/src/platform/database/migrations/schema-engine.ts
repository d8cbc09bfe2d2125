import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine, SchemaFilter } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
import { loadBindings } from './engine-bindings.js';
import { SchemaAdapter } from './schema-adapter.js';

/** No table and no enum is left to others. */
export const filters: SchemaFilter = { externalTables: [], externalEnums: [] };

type Use<Result> = (engine: SchemaEngine, adapter: SchemaAdapter) => Promise<Result>;

/** The engine's bindings have one state for the whole process: one use comes after the other. */
let previousUse: Promise<unknown> = Promise.resolve();

/** Runs `use` with Prisma's schema engine on the session of `pool`, which stays open. */
export function withSchemaEngine<Result>(pool: pg.Pool, use: Use<Result>): Promise<Result> {
  const result = previousUse.then(() => useEngine(pool, use));
  previousUse = result.catch(() => undefined);
  return result;
}

function useEngine<Result>(pool: pg.Pool, use: Use<Result>): Promise<Result> {
  return orPanic(async () => {
    const { SchemaEngine } = await loadBindings();
    const adapter = new SchemaAdapter(pool);
    const engine = await SchemaEngine.new(
      { datamodels: undefined },
      () => {},
      bindMigrationAwareSqlAdapterFactory(adapter),
    );
    try {
      return await use(engine, adapter);
    } finally {
      engine.free();
    }
  });
}

/** A panic of the engine is an uncaught exception, and its command is then never answered: this fails instead. */
async function orPanic<Result>(work: () => Promise<Result>): Promise<Result> {
  let onPanic: (error: unknown) => void = () => undefined;
  const panic = new Promise<never>((_, reject) => {
    onPanic = reject;
  });
  process.once('uncaughtException', onPanic);
  try {
    return await Promise.race([work(), panic]);
  } finally {
    process.off('uncaughtException', onPanic);
  }
}
