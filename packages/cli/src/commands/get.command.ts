import { stringifyJson } from '@petstore/contracts';
import type { Command } from 'commander';
import { toInt64 } from '../arguments.js';
import { connectClient, type GlobalFlags } from '../connection.js';
import { CommandError, exitCodes } from '../errors.js';
import { petTable } from '../output.js';

const examples = `
Example:
  petstore get 42

--json prints the animal: {"id":42,"name":"Rex","categoryId":7,"status":"available"}
If no animal has the id, the exit code is ${exitCodes.notFound}.`;

export function addGet(program: Command): void {
  program
    .command('get')
    .description('Gets one animal.')
    .argument('<id>', 'the id of the animal', toInt64)
    .addHelpText('after', examples)
    .action((id: bigint, _flags: unknown, command: Command) => get(id, command.optsWithGlobals()));
}

async function get(id: bigint, flags: GlobalFlags): Promise<void> {
  const client = await connectClient(flags);
  const pet = await client.getPet(id);
  if (!pet) throw new CommandError(`No animal has the id ${id}.`, exitCodes.notFound);
  console.log(flags.json ? stringifyJson(pet) : petTable([pet]));
}
