import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The directory of this package. Files next to its code are found from here, because the build changes the paths of modules. */
export const packageFolder = dirname(createRequire(import.meta.url).resolve('#package.json'));

const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };

/** The version of the product. The version of the interface is in openapi-document.ts. */
export const productVersion = manifest.version;

const hasScripts = existsSync(join(packageFolder, '../../package.json'));

/** A package of the service has no npm scripts: there, a text names the program that the scripts start. */
export function withProgramNames(text: string): string {
  if (hasScripts) return text;
  return text.replaceAll(/npm run ([a-z:]+)( --)?/g, (_, script: string) => {
    const command = script === 'database:url' ? 'database-url' : script.replace(':', ' ');
    return `node apps/api/dist/manage.js ${command}`;
  });
}
