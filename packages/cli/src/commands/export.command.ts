import { createWriteStream } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { petFields, stringifyJson } from '@petstore/contracts';
import { type ExportFormat, exportFormats, exportPets } from '@petstore/import-export/export-pets.js';
import { type Command, Option } from 'commander';
import { toText } from '../arguments.js';
import { connectClient, type GlobalFlags } from '../connection.js';
import { statIfPresent, stopSignal, UsageError } from '../errors.js';
import { addFilterOptions, type FilterFlags, filterOf } from '../filter-options.js';
import { isTerminal } from '../output.js';
import { ProgressBar } from '../progress-bar.js';

interface ExportFlags extends GlobalFlags, FilterFlags {
  format?: ExportFormat;
  /** `false` with `--no-bom`. */
  bom: boolean;
  force?: true;
}

const pageSize = 100;

const examples = `
Examples:
  petstore export animals.xlsx
  petstore export animals.csv
  petstore export sold.ndjson --status sold
  petstore export rabbits.csv --category-id 7
  petstore export - --format ndjson | jq .name

The columns are ${petFields.join(', ')}. In CSV, a name that a spreadsheet could run as a formula gets the prefix '.
\`petstore import\` removes it.
--json prints {"file":"animals.csv","exported":1000}`;

export function addExport(program: Command): void {
  addFilterOptions(
    program
      .command('export')
      .description('Writes all animals, or those that match a filter, to an Excel, CSV or NDJSON file.')
      .argument('<file>', 'the file to write; - is standard output', toText('Name a file.')),
  )
    .addOption(
      new Option('--format <format>', 'default: the ending of the file, .xlsx, .csv or .ndjson, else csv').choices(
        exportFormats,
      ),
    )
    .option('--no-bom', 'write CSV without a byte order mark, which spreadsheets need for UTF-8')
    .option('--force', 'replace an existing file')
    .addHelpText('after', examples)
    .action((file: string, _flags: unknown, command: Command) => exportFile(file, command.optsWithGlobals()));
}

async function exportFile(file: string, flags: ExportFlags): Promise<void> {
  const format = flags.format ?? formatOf(file);
  if (file !== '-') await checkTarget(file, flags.force === true);
  const client = await connectClient(flags);
  const filter = filterOf(flags);
  const signal = stopSignal();
  const progress = new ProgressBar('Exporting');
  const isCounted = isTerminal(process.stderr) || format === 'xlsx';
  const total = isCounted ? await client.listPets(filter, { signal }).count() : undefined;
  progress.total = total ?? 0;
  async function* pages() {
    for await (const page of client.listPets({ ...filter, limit: pageSize }, { signal }).pages()) {
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
  const exported = progress.done;
  const animals = exported === 1 ? '1 animal' : `${exported} animals`;
  console.log(flags.json ? stringifyJson({ file, exported }) : `Exported ${animals} to ${file}.`);
}

/** The format that the ending of the file means. @throws UsageError */
function formatOf(file: string): ExportFormat {
  const ending = file.toLowerCase().split('.').at(-1);
  if (ending === 'xls' || ending === 'ods') throw new UsageError(`An export cannot be an .${ending} file. Use .xlsx`);
  return exportFormats.find((format) => format === ending) ?? 'csv';
}

/** @throws UsageError if the file must not be written. */
async function checkTarget(file: string, canReplace: boolean): Promise<void> {
  const found = await statIfPresent(file);
  if (found?.isDirectory()) throw new UsageError(`${file} is a directory. Name a file in it.`);
  // The new file would replace the device or the pipe.
  if (found && !found.isFile()) throw new UsageError(`${file} is not a file. For standard output, use -`);
  if (found && !canReplace) throw new UsageError(`${file} exists. Use --force to replace it.`);
  const folder = dirname(file);
  if (!found && !(await statIfPresent(folder))) {
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
