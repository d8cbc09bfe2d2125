import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addCreate } from './commands/create.command.js';
import { addExport } from './commands/export.command.js';
import { addGet } from './commands/get.command.js';
import { addImport } from './commands/import.command.js';
import { addList } from './commands/list.command.js';
import { addLogin, addLogout } from './commands/login.command.js';
import { addWhoami } from './commands/whoami.command.js';
import { toText } from './arguments.js';
import { documentation, exitCodes } from './errors.js';

const moreHelp = `
Examples:
  petstore login --url https://store.example.com
  petstore list --status available
  petstore import animals.xlsx
  petstore export animals.csv

Environment:
  PETSTORE_URL       the address of the service
  PETSTORE_API_KEY   the API key
  PETSTORE_CONFIG    the file of \`petstore login\` (default: ~/.config/petstore/config.json)
  NO_COLOR           no colors

Documentation of this version:
  ${documentation}

Exit codes:
  ${exitCodes.ok}    success
  ${exitCodes.failed}    the service or a file cannot be used
  ${exitCodes.usage}    a flag, an argument or a setting is wrong
  ${exitCodes.refused}    some rows are invalid or rejected, or the columns of a file are not known
  ${exitCodes.notFound}    no animal has this id
  ${exitCodes.unauthorized}    the API key is missing, invalid, or does not have the scope
  ${exitCodes.existingAnimals}    the store has some animals of the file; nothing was created
  ${exitCodes.interrupted}  stopped by Ctrl-C
  ${exitCodes.brokenPipe}  the reader of the output has ended
  ${exitCodes.terminated}  stopped by SIGTERM`;

/** The command with all its subcommands. It throws instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('petstore')
    .description('Lists, creates, imports and exports the animals of a store.')
    .version(`${manifest.version}\nDocumentation: ${documentation}`)
    .option(
      '--url <url>',
      'the address of the service (default: the saved login, or http://localhost:3000)',
      toText('Write the address.'),
    )
    .option(
      '--key <key>',
      'the API key; other users of this computer can see it in the list of processes',
      toText('Write the API key.'),
    )
    .option('--json', 'print JSON for programs')
    .option('--debug', 'print each request to standard error, with its status, time and id')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', moreHelp)
    .option('--no-wait', 'fail when the service limits the rate, or does not answer an import, instead of waiting')
    // The other errors of the command begin with a capital.
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error/, 'Error')) })
    .showHelpAfterError(`Run the command with --help to see what is allowed. Documentation: ${documentation}`)
    .exitOverride();
  for (const add of [addList, addCreate, addGet, addImport, addExport, addLogin, addLogout, addWhoami]) add(program);
  return program;
}
