import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { PetPage, PetstoreClient } from '@petstore/client';
import { type PetStatus, petStatuses } from '@petstore/contracts';
import { type ExportFormat, exportFormats, exportPets } from '@petstore/import-export/export-pets.js';
import { type Command, Option } from 'commander';
import { createClient, findConnection, type GlobalFlags } from '../connection.js';
import { UsageError } from '../exit-codes.js';
import { isTerminal, toJson } from '../output.js';
import { Progress } from '../progress.js';
import { stopSignal } from '../stop-signal.js';

interface ExportFlags extends GlobalFlags {
  status?: PetStatus;
  format?: ExportFormat;
  force?: true;
}

const pageSize = 100;

const examples = `
Examples:
  petstore export animals.csv
  petstore export sold.ndjson --status sold
  petstore export - --format ndjson | jq .name

The columns are id, name, categoryId and status. In CSV, a name that a spreadsheet could run as a formula gets the prefix '.
\`petstore import\` removes it.
--json prints {"file":"animals.csv","exported":1000}`;

export function addExport(program: Command): void {
  program
    .command('export')
    .description('Writes all animals to a CSV or NDJSON file.')
    .argument('<file>', 'the file to write; - is standard output')
    .addOption(new Option('--status <status>', 'only animals with this status').choices(petStatuses))
    .addOption(
      new Option('--format <format>', 'default: ndjson for a file that ends in .ndjson, else csv').choices(
        exportFormats,
      ),
    )
    .option('--force', 'replace an existing file')
    .addHelpText('after', examples)
    .action((file: string, _flags: unknown, command: Command) => exportFile(file, command.optsWithGlobals()));
}

async function exportFile(file: string, flags: ExportFlags): Promise<void> {
  if (file !== '-' && !flags.force && (await exists(file))) {
    throw new UsageError(`${file} exists. Use --force to replace it.`);
  }
  const client = createClient(await findConnection(flags));
  const format = flags.format ?? (file.endsWith('.ndjson') ? 'ndjson' : 'csv');
  const pages = new CountedPages(client, flags.status);
  const progress = new Progress('Exporting', await pages.total());
  try {
    await write(file, exportPets(pages.read(progress), format));
  } finally {
    progress.stop();
  }
  if (file === '-') return;
  const { exported } = pages;
  console.log(flags.json ? toJson({ file, exported }) : `Exported ${exported} animals to ${file}.`);
}

/** Writes a new file and renames it, so that a failed export leaves no incomplete file. */
async function write(file: string, texts: AsyncIterable<string>): Promise<void> {
  if (file === '-') return pipeline(texts, process.stdout, { end: false });
  const newFile = `${file}.part`;
  try {
    await pipeline(texts, createWriteStream(newFile), { signal: stopSignal() });
    return await rename(newFile, file);
  } catch (error) {
    await rm(newFile, { force: true });
    throw error;
  }
}

class CountedPages {
  exported = 0;

  constructor(
    private readonly client: PetstoreClient,
    private readonly status: PetStatus | undefined,
  ) {}

  /** The number of animals, for the progress bar. Not read without a terminal. */
  async total(): Promise<number> {
    if (!isTerminal(process.stderr)) return 0;
    const { total } = await this.client.listPets({ status: this.status, limit: 1, count: true }).page();
    return total ?? 0;
  }

  async *read(progress: Progress): AsyncGenerator<PetPage, void> {
    for await (const page of this.client.listPets({ status: this.status, limit: pageSize }).pages()) {
      this.exported += page.pets.length;
      progress.advance(page.pets.length);
      yield page;
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
