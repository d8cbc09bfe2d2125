import { petFields } from '@petstore/contracts';
import { exportFormats } from '@petstore/import-export/export-pets.js';
import { type Command, Option } from 'commander';
import { toText } from '../arguments.js';
import { exportFile } from '../export-file.js';
import { addFilterOptions } from '../filter-options.js';

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
