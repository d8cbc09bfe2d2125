import { type ApiKeyScope, apiKeyScopes } from '@petstore/contracts';
import { Command, InvalidArgumentError } from 'commander';
import { ExplainedError } from '../../platform/errors/explained-error.js';
import type { ApiKey } from './api-key.js';
import { type ApiKeysService, bootstrapName } from './api-keys.service.js';
import { keyTable, madeKeyText, toJson } from './api-keys.text.js';

type WithKeys = (use: (keys: ApiKeysService) => Promise<void>) => Promise<void>;

interface CreateOptions {
  name: string;
  scopes: ApiKeyScope[];
  expiresIn?: number;
  json?: true;
}

const examples = `
Examples:
  npm run keys -- create --name "front desk" --scopes read,write --expires-in 90d
  npm run keys -- list
  npm run keys -- revoke 3`;

/** `create`, `list` and `revoke`: output for people, or `--json` for programs, on standard output. */
export function keysCommand(withKeys: WithKeys): Command {
  const command = new Command('npm run keys --')
    .description('Make, list and revoke the API keys of the store.')
    .addHelpText('after', examples)
    .showHelpAfterError('Run it with --help to see what it takes.');
  addCreate(command, withKeys);
  addList(command, withKeys);
  addRevoke(command, withKeys);
  return command;
}

function addCreate(command: Command, withKeys: WithKeys): void {
  command
    .command('create')
    .description('Make a key and show it, this once.')
    .requiredOption('--name <name>', 'who or what will use it', name)
    .option('--scopes <scopes>', `what it may do: ${apiKeyScopes.join(', ')}, with commas between`, scopes, ['read'])
    .option('--expires-in <time>', 'when it stops working: a number and m, h or d, such as 90d (default: never)', duration)
    .option('--json', 'print one JSON object')
    .action((options: CreateOptions) =>
      withKeys(async (keys) => {
        const expiresAt = options.expiresIn === undefined ? null : new Date(Date.now() + options.expiresIn);
        const { key, ...made } = await keys.create(options.name, options.scopes, expiresAt);
        const { id, name, scopes: granted, createdAt } = made;
        const json = { id, name, key, scopes: granted, createdAt, expiresAt: made.expiresAt };
        console.log(options.json ? JSON.stringify(json) : madeKeyText(made, key));
      }),
    );
}

function addList(command: Command, withKeys: WithKeys): void {
  command
    .command('list')
    .description('List all keys, the revoked and expired ones too. The keys themselves are stored nowhere.')
    .option('--json', 'print one JSON array')
    .action((options: { json?: true }) =>
      withKeys(async (keys) => {
        const all = await keys.list();
        console.log(options.json ? JSON.stringify(all.map(toJson)) : keyTable(all, new Date()));
      }),
    );
}

function addRevoke(command: Command, withKeys: WithKeys): void {
  command
    .command('revoke')
    .description('Revoke a key: every process refuses it within seconds, for good.')
    .argument('<id>', 'the id that list shows', id)
    .option('--json', 'print one JSON object')
    .action((keyId: number, options: { json?: true }) =>
      withKeys(async (keys) => {
        const revoked = await keys.revoke(keyId);
        if (!revoked) throw new ExplainedError(`No key has the id ${keyId}; npm run keys -- list shows them.`);
        console.log(options.json ? JSON.stringify(toJson(revoked)) : revokedText(revoked));
      }),
    );
}

function revokedText({ id: keyId, name: keyName }: ApiKey): string {
  return `The key ${keyId} (${keyName}) is revoked.`;
}

function name(text: string): string {
  if (text === bootstrapName) throw new InvalidArgumentError(`The name ${bootstrapName} belongs to BOOTSTRAP_API_KEY.`);
  if (/^\P{Cc}{1,100}$/u.test(text) && text.trim() !== '') return text;
  throw new InvalidArgumentError('Allowed are 1 to 100 characters in one line.');
}

function scopes(text: string): ApiKeyScope[] {
  const given = new Set(text.split(',').map((part) => part.trim()));
  const chosen = apiKeyScopes.filter((scope) => given.delete(scope));
  if (given.size === 0 && chosen.length > 0) return chosen;
  throw new InvalidArgumentError(`Allowed are ${apiKeyScopes.join(', ')}, with commas between.`);
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds. */
function duration(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (unitMs[unit] ?? 0);
  throw new InvalidArgumentError('Allowed is a number from 1 to 99999 and m, h or d, such as 30m, 12h or 90d.');
}

function id(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Allowed is the number that list shows.');
}
