import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileReason, statIfPresent, UsageError } from './errors.js';

/** The address and the API key that `petstore login` saves. */
export interface SavedLogin {
  url: string;
  apiKey: string;
}

const { APPDATA, PETSTORE_CONFIG, XDG_CONFIG_HOME } = process.env;
const configFolder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config');

/** The file of the saved login: `PETSTORE_CONFIG`, or the one in the XDG configuration directory, on Windows in APPDATA. */
export const configFile = PETSTORE_CONFIG || join(configFolder, 'petstore', 'config.json');

/** @throws UsageError if other users can read the file, or if it is not valid. */
export async function readLogin(): Promise<SavedLogin | undefined> {
  const text = await readFile(configFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`${configFile} cannot be read: ${fileReason(error) ?? error.message}.`);
  });
  // PETSTORE_CONFIG=/dev/null turns the saved login off.
  if (!text) return undefined;
  await rejectReadableByOthers();
  try {
    const { url, apiKey } = JSON.parse(text) as Partial<SavedLogin>;
    if (typeof url === 'string' && typeof apiKey === 'string') return { url, apiKey };
  } catch {
    // Not JSON: the same error as for missing members.
  }
  throw new UsageError(`${configFile} is not valid. Run \`petstore login\` to write it again.`);
}

/** Writes a new file and renames it, so that the key is never in a file that others can read, nor in half a file. */
export async function saveLogin(login: SavedLogin): Promise<void> {
  await hasConfigFile();
  await mkdir(dirname(configFile), { recursive: true, mode: 0o700 });
  const newFile = `${configFile}.${process.pid}`;
  const text = `${JSON.stringify(login, undefined, 2)}\n`;
  await writeFile(newFile, text, { flag: 'wx', mode: 0o600, flush: true });
  await rename(newFile, configFile);
}

/** Returns whether a login was saved. */
export async function removeLogin(): Promise<boolean> {
  const hadLogin = await hasConfigFile();
  await rm(configFile, { force: true });
  return hadLogin;
}

/** @throws UsageError for a device, such as /dev/null, which must not be replaced or deleted. */
async function hasConfigFile(): Promise<boolean> {
  const found = await statIfPresent(configFile);
  if (!found) return false;
  if (found.isFile()) return true;
  throw new UsageError(`${configFile} is not a file. Set PETSTORE_CONFIG to the path of a file, or unset it.`);
}

async function rejectReadableByOthers(): Promise<void> {
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  const { mode } = await stat(configFile);
  if ((mode & 0o077) === 0) return;
  throw new UsageError(`Other users can read the API key in ${configFile}. Run: chmod 600 ${configFile}`);
}
