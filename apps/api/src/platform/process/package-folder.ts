import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The directory of this package. Files next to its code are found from here, because the build changes the paths of modules. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve('#package.json'));
