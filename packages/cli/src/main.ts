import { exitCodes, explainError } from './errors.js';
import { createProgram } from './program.js';

/** Ends the process when its output cannot be written. */
function endWithoutOutput(error: NodeJS.ErrnoException): never {
  process.exit(error.code === 'EPIPE' ? exitCodes.brokenPipe : explainError(error));
}

process.stdout.on('error', endWithoutOutput);
process.stderr.on('error', endWithoutOutput);

await createProgram()
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = explainError(error);
  });
