import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stringifyJson } from '@petstore/contracts';
import { type ExportFormat, exportFormats, exportPets } from '@petstore/import-export/export-pets.js';
import { connectClient, type GlobalFlags } from './connection.js';
import { stopSignal, UsageError } from './errors.js';
import { type FilterFlags, filterOf } from './filter-options.js';
import { isTerminal } from './output.js';
import { ProgressBar } from './progress-bar.js';
import { RateLimitGate } from './rate-limit.js';

const pageSize = 100;

interface ExportFlags extends GlobalFlags, FilterFlags {
  format?: ExportFormat;
  /** `false` with `--no-bom`. */
  bom: boolean;
  force?: true;
}

/**
 * Writes the animals of the store to a file, or with `-` to standard output.
 * @throws UsageError if the file must not be written. Otherwise the errors of the client. No file remains then.
 */
export async function exportFile(file: string, flags: ExportFlags): Promise<void> {
  const format = flags.format ?? formatOf(file);
  if (file !== '-') await checkTarget(file, flags.force === true);
  const client = await connectClient(flags);
  const filter = filterOf(flags);
  const signal = stopSignal();
  let progress = new ProgressBar('Exporting', 0);
  let total: number | undefined;
  const gate = new RateLimitGate({ wait: flags.wait, signal, print: (text) => progress.print(text) });
  if (isTerminal(process.stderr) || format === 'xlsx') {
    total = await gate.pass(() => client.listPets(filter, { signal }).count());
    progress = new ProgressBar('Exporting', total ?? 0);
  }
  gate.progress = () => progress.counts();
  let exported = 0;
  async function* pages() {
    for await (const page of gate.pages(client, { ...filter, limit: pageSize })) {
      exported += page.pets.length;
      progress.advance(page.pets.length);
      yield { ...page, total };
    }
  }
  async function* parts() {
    if (format === 'csv' && flags.bom) yield '\uFEFF';
    yield* exportPets(pages(), format);
  }
  try {
    await (file === '-' ? pipeline(parts, process.stdout, { end: false }) : writeNewFile(file, parts()));
  } finally {
    progress.stop();
  }
  if (file === '-') return;
  console.log(flags.json ? stringifyJson({ file, exported }) : `Exported ${exported} animals to ${file}.`);
}

/** By the ending of the file. @throws UsageError */
function formatOf(file: string): ExportFormat {
  const ending = file.toLowerCase().split('.').at(-1);
  if (ending === 'xls' || ending === 'ods') throw new UsageError(`An export cannot be an .${ending} file. Use .xlsx`);
  return exportFormats.find((format) => format === ending) ?? 'csv';
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

/** Writes a temporary file and renames it, so that a failed export leaves no incomplete file. A link stays a link. */
async function writeNewFile(path: string, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const file = await realpath(path).catch(() => path);
  const newFile = `${file}.part-${process.pid}`;
  try {
    await pipeline(parts, createWriteStream(newFile, { flush: true }));
    await rename(newFile, file);
  } catch (error) {
    await rm(newFile, { force: true });
    throw error;
  }
}
