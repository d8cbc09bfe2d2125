import { readFile, stat } from 'node:fs/promises';
import type { Category } from '@petstore/contracts';
import { ConfigError } from '../../platform/errors/startup-error.js';
import { parseCategories } from './categories-csv.js';

/** More lines would not help to find the mistake. */
const maxFaults = 20;

/** @throws ConfigError that names the invalid lines. */
export async function readCategories(path: string): Promise<Category[]> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new ConfigError([`CATEGORIES_FILE: cannot read ${path}: ${error.message}`]);
  });
  const { categories, faults } = parseCategories(bytes);
  if (faults.length === 0) return categories;
  const shown = faults.slice(0, maxFaults).map((fault) => `CATEGORIES_FILE: ${path}: ${fault}`);
  const hidden = faults.length - shown.length;
  throw new ConfigError(hidden > 0 ? [...shown, `CATEGORIES_FILE: ${path}: ${hidden} more`] : shown);
}

/** Differs whenever the file was changed, replaced, removed or created. */
export async function versionOf(path: string): Promise<string> {
  return stat(path).then(
    ({ ctimeMs, size }) => `${ctimeMs} ${size}`,
    (error: NodeJS.ErrnoException) => String(error.code),
  );
}
