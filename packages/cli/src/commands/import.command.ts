import { newPetFields } from '@petstore/contracts';
import { requiredColumns } from '@petstore/import-export/pet-columns.js';
import { type Command, Option } from 'commander';
import { toEncoding, toInteger, toText } from '../arguments.js';
import { exitCodes } from '../errors.js';
import { toColumnNames } from '../import/choose-layout.js';
import { importFile } from '../import/import-file.js';

const examples = `
Examples:
  petstore import animals.xlsx
  petstore import animals.csv --dry-run
  petstore import animals.ndjson --skip-invalid --json
  petstore import nightly.csv --skip-existing
  petstore import tiere.xlsx --sheet Tiere --columns name=Tiername,categoryId=Kategorie --ignore-other-columns
  petstore import list.csv --no-header --columns name=1,categoryId=2
  zcat animals.csv.gz | petstore import -

The file has the fields ${newPetFields.join(', ')}; only ${requiredColumns.join(' and ')} are required. A category is a number, or
the name of a category of the store. The API key needs the scopes read and write.

If the store has some of the animals, nothing is created, and the exit code is ${exitCodes.existingAnimals}: use --skip-existing or
--add-existing. If the columns are not known, or rows are invalid or rejected, the exit code is ${exitCodes.refused}. If an import is
interrupted, repeat it with --skip-existing: it leaves out the animals that were added.`;

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Creates the animals of an Excel, CSV or NDJSON file.')
    .argument('<file>', 'the file to import; - is standard input', toText('Name a file.'))
    .option('--columns <list>', 'the columns of an Excel or CSV file, as FIELD=COLUMN,…', toColumnNames)
    .option('--no-header', 'the first row is an animal; --columns has positions, such as name=1')
    .option('--ignore-other-columns', 'ignore the columns that are not fields')
    .option('--sheet <name>', 'the sheet of an Excel file', toText('Name a sheet.'))
    .option('--hidden', 'also import the rows that the spreadsheet hides (default: they are left out)')
    .option('--encoding <name>', 'the encoding of a CSV file (default: UTF-8, UTF-16, else windows-1252)', toEncoding)
    .option('--skip-invalid', 'import the valid rows of a file that also has invalid ones')
    .addOption(new Option('--skip-existing', 'leave out the animals that the store has').conflicts('addExisting'))
    .option('--add-existing', 'add the animals that the store has once more')
    .option('--dry-run', 'only check the file, and compare it with the store')
    .option('--concurrency <number>', 'the number of simultaneous requests, 1 to 256 (default: 32)', toInteger(256))
    .addHelpText('after', examples)
    .action(async (file: string, _flags: unknown, command: Command) => {
      process.exitCode = await importFile(file, command.optsWithGlobals());
    });
}
