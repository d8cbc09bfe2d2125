import { type ApiKeyScope, apiKeyScopes, ExplainedError, printable, textTable } from '@petstore/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { hideKeys } from '../../platform/logging/logger.js';
import { commandLine } from '../../platform/product.js';
import { type ApiKey, isExpired } from './api-key.js';
import { type ApiKeysService, bootstrapName, type CreatedApiKey } from './api-keys.service.js';

type WithKeys = (use: (keys: ApiKeysService) => Promise<void>) => Promise<void>;

interface CreateOptions {
  name: string;
  scopes: ApiKeyScope[];
  expiresIn?: number;
  json?: true;
}

const examples = `
Examples:
  ${commandLine('keys create --name "front desk" --scopes read,write --expires-in 90d')}
  ${commandLine('keys list')}
  ${commandLine('keys revoke 3')}`;

/** Prints for people, or with `create --json` for programs, on standard output. */
export function keysCommand(withKeys: WithKeys): Command {
  const command = new Command('keys')
    .description('Creates, lists and revokes the API keys of the store.')
    .addHelpText('after', examples)
    .configureOutput({ outputError: (text, write) => write(hideKeys()(text)) });
  addCreate(command, withKeys);
  command
    .command('list')
    .description('Lists all keys, including revoked and expired ones. The keys themselves are not stored.')
    .action(() => withKeys(async (keys) => console.log(keyTable(await keys.list(), new Date()))));
  command
    .command('revoke')
    .description('Revokes a key. Every process rejects it within 5 seconds.')
    .argument('<id>', 'the id that list shows', keyId)
    .action((id: number) =>
      withKeys(async (keys) => {
        const revoked = await keys.revoke(id);
        if (revoked) return console.log(revokedText(revoked));
        throw new ExplainedError(`No key has the id ${id}. Run "${commandLine('keys list')}" to see all keys.`);
      }),
    );
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

/** A new key, the only time that it is shown. Lists each field, so that a new column never leaks. */
function toCreatedJson({ id, name, key, scopes, createdAt, expiresAt }: CreatedApiKey) {
  return { id, name, key, scopes, createdAt, expiresAt };
}

function createdKeyText({ id, name, key, scopes, expiresAt }: CreatedApiKey): string {
  return [
    `Created key ${id} (${name}) with the scopes ${scopes.join(', ')}. It ${expiresAt ? `expires at ${minute(expiresAt)}` : 'does not expire'}.`,
    '',
    `  ${key}`,
    '',
    'Store it in a safe place: it is not shown again.',
  ].join('\n');
}

function revokedText({ id, name }: ApiKey): string {
  const text = `The key ${id} (${name}) is revoked.`;
  if (name !== bootstrapName) return text;
  return `${text} Change or remove BOOTSTRAP_API_KEY too: the next start with it restores the key.`;
}

/** A table with one line per key. */
function keyTable(keys: readonly ApiKey[], now: Date): string {
  if (keys.length === 0) return `There are no keys. Run "${commandLine('keys create --name NAME')}" to create one.`;
  const head = ['ID', 'NAME', 'SCOPES', 'STATE', 'CREATED', 'LAST USED'];
  const rows = keys.map((key) => [
    String(key.id),
    printable(key.name),
    key.scopes.join(','),
    state(key, now),
    minute(key.createdAt),
    key.lastUsedAt ? minute(key.lastUsedAt) : 'never',
  ]);
  return textTable([head, ...rows]);
}

function state(key: ApiKey, now: Date): string {
  if (key.revokedAt) return `revoked ${minute(key.revokedAt)}`;
  if (!key.expiresAt) return 'valid';
  return `${isExpired(key, now) ? 'expired' : 'valid until'} ${minute(key.expiresAt)}`;
}

function minute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
