import { type ApiKeyScope, apiKeyScopes, ExplainedError } from '@petstore/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { hideKeys } from '../../platform/logging/logger.js';
import { bootstrapName, type ApiKeysService } from './api-keys.service.js';
import { keyTable, createdKeyText, revokedText, toJson, toCreatedJson } from './api-keys.text.js';

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
  const command = new Command('keys')
    .description('Creates, lists and revokes the API keys of the store.')
    .addHelpText('after', examples)
    .showHelpAfterError()
    .configureOutput({ outputError: (text, write) => write(hideKeys()(text)) });
  addCreate(command, withKeys);
  addList(command, withKeys);
  addRevoke(command, withKeys);
  return command;
}

function addCreate(command: Command, withKeys: WithKeys): void {
  command
    .command('create')
    .description('Creates a key and shows it once.')
    .requiredOption('--name <name>', 'the person or program that uses the key', keyName)
    .addOption(
      new Option('--scopes <scopes>', `comma-separated: ${apiKeyScopes.join(', ')}`)
        .argParser(keyScopes)
        .default(['read'], 'read'),
    )
    .option(
      '--expires-in <time>',
      'when the key expires: a number and m, h or d, such as 90d (default: never)',
      durationMs,
    )
    .option('--json', 'print one JSON object')
    .action((options: CreateOptions) =>
      withKeys(async (keys) => {
        const expiresAt = options.expiresIn === undefined ? null : new Date(Date.now() + options.expiresIn);
        const created = await keys.create(options.name, options.scopes, expiresAt);
        console.log(options.json ? JSON.stringify(toCreatedJson(created)) : createdKeyText(created));
      }),
    );
}

function addList(command: Command, withKeys: WithKeys): void {
  command
    .command('list')
    .description('Lists all keys, including revoked and expired ones. The keys themselves are not stored.')
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
    .description('Revokes a key. Every process rejects it within 5 seconds.')
    .argument('<id>', 'the id that list shows', keyId)
    .option('--json', 'print one JSON object')
    .action((id: number, options: { json?: true }) =>
      withKeys(async (keys) => {
        const revoked = await keys.revoke(id);
        if (!revoked) throw new ExplainedError(`No key has the id ${id}. Run "npm run keys -- list" to see all keys.`);
        console.log(options.json ? JSON.stringify(toJson(revoked)) : revokedText(revoked));
      }),
    );
}

// The parsers of the arguments. Each throws an InvalidArgumentError that names the allowed values.

function keyName(text: string): string {
  if (text === bootstrapName)
    throw new InvalidArgumentError(`The name ${bootstrapName} is reserved for BOOTSTRAP_API_KEY.`);
  if (/^\P{Cc}{1,100}$/u.test(text) && text.trim() !== '') return text;
  throw new InvalidArgumentError('It must have 1 to 100 characters in one line.');
}

function keyScopes(text: string): ApiKeyScope[] {
  const given = new Set(text.split(',').map((part) => part.trim()));
  const chosen = apiKeyScopes.filter((scope) => given.delete(scope));
  if (given.size === 0 && chosen.length > 0) return chosen;
  throw new InvalidArgumentError(`Allowed scopes, comma-separated: ${apiKeyScopes.join(', ')}.`);
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationMs(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (unitMs[unit] ?? 0);
  throw new InvalidArgumentError('It must be a number from 1 to 99999 and m, h or d, such as 30m, 12h or 90d.');
}

function keyId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a key id that list shows.');
}
