import { readConfig } from '../../src/platform/config/config.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { ConfigError } from '../../src/platform/errors/startup-error.js';

/** Opens a database as the start of the service does. Returns the name and message of the error, or an empty text. */
export async function startError(databaseUrl: string, variables: Record<string, string> = {}): Promise<string> {
  const config = readConfig({ DATABASE_URL: databaseUrl, ...variables });
  return openDatabase(config, { print: () => undefined, warn: () => undefined, error: () => undefined }).then(
    () => '',
    ({ name, message }: Error) => `${name}: ${message}`,
  );
}

/** Returns the error for an invalid environment. */
export function refusal(variables: Record<string, string>): ConfigError {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(variables)} is valid`);
}
