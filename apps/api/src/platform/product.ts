import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The directory of this package. Files next to its code are found from here, because the build changes the paths of modules. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve('#package.json'));

const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };

/** The version of the product. The version of the interface is in openapi-document.ts. */
export const productVersion = manifest.version;

const hasScripts = existsSync(join(packageFolder, '../../package.json'));

/**
 * How a person runs a command of manage.ts, such as `keys list`: by a script of package.json or, in a packaged service, which
 * has no scripts, by the program.
 */
export function commandLine(command: string): string {
  if (!hasScripts) return `node apps/api/dist/manage.js ${command}`;
  const [script, ...rest] = command.replace(/^(database|migration)[- ](?=[a-z])/, '$1:').split(' ');
  return ['npm run', script, ...(rest.length > 0 ? ['--', ...rest] : [])].join(' ');
}
