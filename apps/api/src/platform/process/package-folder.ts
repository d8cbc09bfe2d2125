import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Of this package, for files beside its code: where its modules lie in the build says nothing. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve('#package.json'));
