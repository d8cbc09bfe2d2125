import { newPetFields } from '@petstore/contracts';
import { encodings } from '@petstore/import-export/encoding.js';
import { requiredColumns } from '@petstore/import-export/pet-columns.js';
import type { Command } from 'commander';
import { toText, toInteger } from '../arguments.js';
import { exitCodes } from '../errors.js';
import { importFile } from '../import/import-file.js';
import { toColumnNames, toEncoding } from '../import/read-settings.js';

const examples = `
Examples:
  petstore import animals.csv
  petstore import animals.csv --dry-run
  petstore import animals.ndjson --skip-invalid --json
  petstore import tiere.csv --columns name=Tiername,categoryId=Kategorie,status=Status --ignore-other-columns
  zcat animals.csv.gz | petstore import -

The file is CSV (the first line names the columns) or NDJSON, with the fields ${newPetFields.join(', ')}. Only
${requiredColumns.join(' and ')} are required. Every line is checked before the first animal is created. A category of a CSV file
is a number or the exact name of a category of the store. If the file is not UTF-8, the command prints the encoding that it assumes, and the first names. Choose
another with --encoding: ${encodings.join(', ')}.

With --skip-existing, an animal is skipped if the store has one with the same category and name. Case and accents do not matter.
This is decided once, before the first animal is created.

If an import is interrupted, run the same command again: it continues, and adds no animal twice. For this it keeps a journal
next to the file (FILE.journal); for standard input, it finds the journal by the content. A finished import is not repeated: the
command says when the file was imported, and the exit code is ${exitCodes.importedBefore}. To import it once more, use --again.

--json prints one JSON object per line: one for each line of the file, then the summary.
  {"type":"line","line":2,"state":"created","id":1}
  {"type":"line","line":3,"state":"invalid","reason":"\`name\` is required.",
   "faults":[{"code":"required","field":"name"}]}   (in one line)
  {"type":"summary","file":"animals.csv","created":1,"createdEarlier":0,"skipped":0,"invalid":1,"rejected":0,"unknown":0,
   "interrupted":0,"isComplete":true}   (in one line)
The states are created, skipped, invalid, rejected, unknown and interrupted. A line that an earlier run created or rejected has
"isEarlier":true. If the file was imported before, the summary has "importedBefore" and "journal". If lines are invalid, rejected or unknown, the exit code is ${exitCodes.refusedLines}.`;

export function addImport(program: Command): void {
  program
    .command('import')
    .description('Creates the animals of a CSV or NDJSON file.')
    .argument('<file>', 'the file to import; - is standard input', toText('Name a file.'))
    .option('--skip-invalid', 'import the valid lines of a file that also has invalid ones')
    .option('--columns <list>', 'the columns of a CSV file, as FIELD=COLUMN,…', toColumnNames)
    .option('--ignore-other-columns', 'ignore the columns that are not fields')
    .option('--skip-existing', 'skip animals whose name and category the store has; needs the scope read')
    .option('--encoding <name>', 'the encoding of a CSV file (default: detected)', toEncoding)
    .option('--again', 'import a file once more whose import is finished')
    .option('--dry-run', 'only check the file')
    .option('--concurrency <number>', 'the number of simultaneous requests, 1 to 256 (default: 32)', toInteger(256))
    .option('--journal <file>', 'where to keep the journal of the import')
    .addHelpText('after', examples)
    .action(async (file: string, _flags: unknown, command: Command) => {
      process.exitCode = await importFile(file, command.optsWithGlobals());
    });
}
