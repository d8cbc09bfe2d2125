import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as Bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

let bindings: Promise<typeof Bindings> | undefined;

/** Prisma's schema engine, loaded when it is first needed: five megabytes take their time. */
export function loadBindings(): Promise<typeof Bindings> {
  return (bindings ??= load());
}

// Its types come with those of the browser only.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
};

/** What the package's own entry does by importing the .wasm file, which Node 20 cannot. */
async function load(): Promise<typeof Bindings> {
  const loaded = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(path.replace(/\.js$/, '.wasm'));
  reportPanics();
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': withoutLastingTimers(loaded) });
  loaded.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return loaded;
}

/** Its wait for a lock leaves a timer of ten seconds behind, which would keep the process alive. */
function withoutLastingTimers(imports: object): object {
  const timers = Object.keys(imports).filter((name) => name.startsWith('__wbg_setTimeout_'));
  const setTimer = (run: () => void, ms: number) => setTimeout(run, ms).unref();
  return { ...imports, ...Object.fromEntries(timers.map((name) => [name, setTimer])) };
}

/** Where Prisma's WebAssembly tells why it panics. Prisma's client makes one that does the same. */
function reportPanics(): void {
  const shared = globalThis as { PRISMA_WASM_PANIC_REGISTRY?: { set_message(message: string): void } };
  shared.PRISMA_WASM_PANIC_REGISTRY ??= {
    set_message(message) {
      throw new Error(message);
    },
  };
}
