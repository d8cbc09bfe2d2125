import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import type { CheckedFile } from './check-file.js';
import type { ImportOptions } from './import-options.js';
import { ImportError, type ImportResult } from './import-result.js';
import { ImportRun } from './import-run.js';

/**
 * Creates the animals of a file. If an earlier run with this journal was interrupted, continues it.
 * @throws ImportError before the first create, if the file has invalid lines or the journal belongs to another import.
 */
export async function importPets(file: CheckedFile, options: ImportOptions): Promise<ImportResult> {
  if (file.invalid > 0 && !options.skipInvalid) {
    throw new ImportError(`Invalid lines: ${file.invalid}. Fix them, or skip invalid lines.`);
  }
  const { contentHash } = file;
  const { serviceUrl, journal } = options;
  const header = await journal.open({ importId: bytesToHex(randomBytes(16)), contentHash, serviceUrl });
  if (header.contentHash !== contentHash) {
    throw new ImportError('The file has changed since this import began. Restore it, or start a new import.');
  }
  if (header.serviceUrl !== serviceUrl) {
    throw new ImportError(`This import began with ${header.serviceUrl}, not ${serviceUrl}. Start a new import.`);
  }
  return new ImportRun(file, header.importId, options).run();
}
