import { petStatuses } from '@petstore/contracts';
import { exportFormats } from '@petstore/import-export/export-pets.js';
import { type Command, Option } from 'commander';
import { toFileName } from '../arguments.js';
import { exportFile } from '../export-file.js';

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
    .argument('<file>', 'the file to write; - is standard output', toFileName)
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
