import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { ExplainedError } from '@petstore/contracts';
import type { Config } from '../../platform/config/config.js';
import { retryAtStart } from '../../platform/database/database-error.js';
import type { Log } from '../../platform/logging/log.js';
import { commandLine } from '../../platform/product.js';
import { ApiKeyRing } from './api-key-ring.js';
import { ApiKeysService } from './api-keys.service.js';

const howToCreateKey = `No API key is valid. Run "${commandLine('keys create --name NAME --scopes read,write')}", or set BOOTSTRAP_API_KEY.`;

/** Creates the keys that must exist before the first request, and loads all keys. */
export async function provideKeys(app: INestApplicationContext, config: Config, log: Log): Promise<void> {
  const keys = app.get(ApiKeysService);
  await retryAtStart(async () => {
    if (config.bootstrapApiKey) await keys.setBootstrapKey(config.bootstrapApiKey);
    if (config.databaseUrl === undefined && !process.stdout.isTTY) {
      await keys.createFirst(async (key) => printAlways(log, await saveKey(key, config.dataDir)));
    }
    await app.get(ApiKeyRing).reload();
  });
}

/**
 * Shows the first key of a new embedded database at a terminal, and returns it. It is shown only once: the start calls this when
 * nothing else can fail, such as a port in use.
 */
export async function showFirstKey(
  app: INestApplicationContext,
  config: Config,
  log: Log,
): Promise<string | undefined> {
  const ring = app.get(ApiKeyRing);
  let firstKey: string | undefined;
  if (config.databaseUrl === undefined && process.stdout.isTTY) {
    await app.get(ApiKeysService).createFirst((key) => {
      // Not as a log line: the logger hides keys.
      log.printText(`Your API key, shown this once: ${key}`);
      firstKey = key;
      return Promise.resolve();
    });
    await ring.reload();
  }
  if (!ring.hasValidKey) printAlways(log, howToCreateKey);
  return firstKey;
}

/** The user needs it at every log level. */
function printAlways({ logger, print, printText }: Log, line: string): void {
  if (logger.isLevelEnabled('info')) print(line);
  else printText(line);
}

/**
 * Without a terminal, a new key goes into a file that only its owner can read. The output of systemd and containers goes
 * into a log. Returns the line to print.
 */
async function saveKey(key: string, directory: string): Promise<string> {
  const path = resolve(join(directory, 'first-key'));
  await writeNewFile(path, `${key}\n`).catch((cause: Error) => {
    throw new ExplainedError(
      `Cannot write the first API key to ${path}: ${cause.message}. No key was created. ` +
        'Remove what is at this path, or fix the cause, then restart.',
      { cause },
    );
  });
  return `The first API key is in ${path}. Store it in a safe place and delete the file.`;
}

/** Removes an old file first, because an existing one would keep its mode. `wx` follows no symbolic link. */
async function writeNewFile(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
}
