import { explainError } from './explain-error.js';
import { createProgram } from './program.js';

// A reader that ends early, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

await createProgram()
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = explainError(error);
  });
