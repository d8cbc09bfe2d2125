import { readConfig } from '../../src/platform/config/config.js';
import { ConfigError } from '../../src/platform/errors/startup-error.js';

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
