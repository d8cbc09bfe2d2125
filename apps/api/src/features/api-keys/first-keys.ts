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

/** Creates the keys of a start, and loads all keys. Returns the first key when this start created it. */
export async function provideKeys(app: INestApplicationContext, config: Config, log: Log): Promise<string | undefined> {
  const [keys, ring] = [app.get(ApiKeysService), app.get(ApiKeyRing)];
  // The user needs the key at every log level.
  const printAlways = log.logger.isLevelEnabled('info') ? log.print : log.printText;
  let firstKey: string | undefined;
  await retryAtStart(async () => {
    if (config.bootstrapApiKey) await keys.setBootstrapKey(config.bootstrapApiKey);
    if (config.databaseUrl === undefined) {
      await keys.createFirst(async (key) => {
        // Not as a log line: the logger hides keys.
        if (process.stdout.isTTY) log.printText(`Your API key, shown this once: ${key}`);
        else printAlways(await saveKey(key, config.dataDir));
        firstKey = key;
      });
    }
    await ring.reload();
  });
  if (!ring.hasValidKey) printAlways(howToCreateKey);
  return firstKey;
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
