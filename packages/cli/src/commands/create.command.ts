import { newIdempotencyKey } from '@petstore/client';
import { type NewPet, type PetStatus, petStatuses, stringifyJson } from '@petstore/contracts';
import { type Command, Option } from 'commander';
import { toIdempotencyKey, toInt64, toPetName } from '../arguments.js';
import { connectClient, type GlobalFlags } from '../connection.js';
import { petTable } from '../output.js';

interface CreateFlags extends GlobalFlags {
  name: string;
  categoryId: bigint;
  status?: PetStatus;
  idempotencyKey?: string;
}

const examples = `
Examples:
  petstore create --name Rex --category-id 7
  petstore create --name Bella --category-id 7 --status pending --json

--json prints the animal: {"id":1,"name":"Rex","categoryId":7,"status":"available"}`;

export function addCreate(program: Command): void {
  program
    .command('create')
    .description('Creates an animal.')
    .requiredOption('--name <name>', 'the name of the animal', toPetName)
    .requiredOption('--category, --category-id <id>', 'the id of its category', toInt64)
    .addOption(new Option('--status <status>', 'its status (default: available)').choices(petStatuses))
    .option(
      '--idempotency-key <key>',
      'repeating the command with the same key creates no second animal',
      toIdempotencyKey,
    )
    .addHelpText('after', examples)
    .action((_flags: unknown, command: Command) => create(command.optsWithGlobals()));
}

async function create({ name, categoryId, status, idempotencyKey, ...flags }: CreateFlags): Promise<void> {
  const client = await connectClient(flags);
  // `Required`: a new field does not compile until a flag sets it.
  const newPet: { [Field in keyof Required<NewPet>]: NewPet[Field] } = { name, categoryId, status };
  const key = idempotencyKey ?? newIdempotencyKey();
  const { data: pet, isReplayed } = await client.createPet(newPet, { idempotencyKey: key }).withResponse();
  // A key that the command has created is repeated only by its own retry.
  if (isReplayed && idempotencyKey !== undefined) {
    console.error(`Created before with this idempotency key: animal ${pet.id}. Nothing new was created.`);
  }
  console.log(flags.json ? stringifyJson(pet) : petTable([pet]));
}
