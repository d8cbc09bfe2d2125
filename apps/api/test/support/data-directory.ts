import { Cleanup } from '@petstore/processes/cleanup.js';
import { runProgram } from '@petstore/processes/program.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data directory whose embedded database has the schema and no keys, which tests copy. */
    templateDirectory: string;
  }
}

/** Creates an embedded database once for all files: that takes as long as a start of the service. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  const directory = await temporaryDirectory(cleanup);
  const { code, stderr } = await runProgram('migration.js', ['apply'], { DATA_DIR: directory });
  if (code !== 0) {
    await cleanup.run();
    throw new Error(`The template of the data directories cannot be created: ${stderr}`);
  }
  project.provide('templateDirectory', directory);
  return () => cleanup.run();
}
