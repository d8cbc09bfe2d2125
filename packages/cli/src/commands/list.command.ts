import { listOrders, type ListOrder, type Pet, stringifyJson } from '@petstore/contracts';
import { type Command, Option } from 'commander';
import { toInteger } from '../arguments.js';
import { connectClient, type GlobalFlags } from '../connection.js';
import { addFilterOptions, type FilterFlags, filterOf } from '../filter-options.js';
import { petTable } from '../output.js';

interface ListFlags extends GlobalFlags, FilterFlags {
  order: ListOrder;
  limit: number;
}

const maxAnimals = 10_000;
const maxPageSize = 100;

const examples = `
Examples:
  petstore list --status available --order desc
  petstore list --q rex --category-id 7,9
  petstore list --limit 100 --json

--json prints an array of animals: [{"id":1,"name":"Rex","categoryId":7,"status":"available"}]
To write all animals to a file, use \`petstore export\`.`;

export function addList(program: Command): void {
  addFilterOptions(program.command('list').description('Lists animals.'))
    .addOption(new Option('--order <order>', 'oldest or newest first').choices(listOrders).default('asc'))
    .addOption(
      new Option('--limit <number>', `the maximum number of animals, up to ${maxAnimals}`)
        .argParser(toInteger(maxAnimals))
        .default(20),
    )
    .addHelpText('after', examples)
    .action((_flags: unknown, command: Command) => list(command.optsWithGlobals()));
}

async function list({ order, limit, ...flags }: ListFlags): Promise<void> {
  const client = await connectClient(flags);
  const filter = filterOf(flags);
  const pets: Pet[] = [];
  let hasMore = false;
  const query = { ...filter, order, limit: Math.min(limit, maxPageSize) };
  for await (const page of client.listPets(query).pages()) {
    hasMore = page.next !== undefined || pets.length + page.pets.length > limit;
    pets.push(...page.pets.slice(0, limit - pets.length));
    if (pets.length === limit) break;
  }
  console.log(flags.json ? stringifyJson(pets) : petTable(pets));
  if (flags.json || !hasMore) return;
  // Undefined above the number up to which the service counts.
  const total = await client.listPets(filter).count();
  const count = total === undefined ? `The first ${pets.length}` : `${pets.length} of ${total.toLocaleString('en')}`;
  console.error(`${count} animals. List more with --limit, or write all to a file with \`petstore export\`.`);
}
