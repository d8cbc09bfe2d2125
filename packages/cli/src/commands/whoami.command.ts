import { readKeyInfo } from '@petstore/client';
import { printable, stringifyJson } from '@petstore/contracts';
import type { Command } from 'commander';
import { findConnection, type GlobalFlags } from '../connection.js';

const examples = `
--json prints the key: {"url":"http://localhost:3000/v1","id":1,"name":"till","scopes":["read"],"expiresAt":null}`;

export function addWhoami(program: Command): void {
  program
    .command('whoami')
    .description('Shows the service, and the name and the scopes of the API key.')
    .addHelpText('after', examples)
    .action((_flags: unknown, command: Command) => whoami(command.optsWithGlobals()));
}

async function whoami(flags: GlobalFlags): Promise<void> {
  const connection = await findConnection(flags);
  const { id, name, scopes, expiresAt } = await readKeyInfo(connection);
  if (flags.json) {
    console.log(stringifyJson({ url: connection.baseUrl, id, name, scopes, expiresAt }));
    return;
  }
  const expiry = expiresAt === null ? 'does not expire' : `expires ${expiresAt}`;
  console.log(`${connection.baseUrl}\nAPI key ${id} "${printable(name)}": ${scopes.join(', ')}; ${expiry}`);
}
