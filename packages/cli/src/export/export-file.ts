import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type PetStatus, stringifyJson } from '@petstore/contracts';
import { type ExportFormat, exportPets } from '@petstore/import-export/export-pets.js';
import { createClient, findConnection, type GlobalFlags } from '../connection.js';
import { UsageError } from '../exit-codes.js';
import { Progress } from '../progress.js';
import { stopSignal } from '../stop-signal.js';
import { CountedPages } from './counted-pages.js';
import { writeNewFile } from './new-file.js';

interface ExportFlags extends GlobalFlags {
  status?: PetStatus;
  format?: ExportFormat;
  force?: true;
}

export async function exportFile(file: string, flags: ExportFlags): Promise<void> {
  if (file !== '-') await checkTarget(file, flags.force === true);
  const client = createClient(await findConnection(flags));
  const format = flags.format ?? (file.endsWith('.ndjson') ? 'ndjson' : 'csv');
  const pages = new CountedPages(client, { status: flags.status, signal: stopSignal() });
  const progress = new Progress('Exporting', await pages.total());
  try {
    const texts = exportPets(pages.read(progress), format);
    await (file === '-' ? pipeline(texts, process.stdout, { end: false }) : writeNewFile(file, texts));
  } finally {
    progress.stop();
  }
  if (file === '-') return;
  const { exported } = pages;
  console.log(flags.json ? stringifyJson({ file, exported }) : `Exported ${exported} animals to ${file}.`);
}

/** @throws UsageError if the file must not be written. */
async function checkTarget(file: string, canReplace: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new UsageError(`${file} is a directory. Name a file in it.`);
  // The new file would replace the device or the pipe.
  if (found && !found.isFile()) throw new UsageError(`${file} is not a file. For standard output, use -`);
  if (found && !canReplace) throw new UsageError(`${file} exists. Use --force to replace it.`);
  const folder = dirname(file);
  if (!found && !(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`The directory ${folder} does not exist.`);
  }
}
