import { type ApiKeyScope, apiKeyScopes } from '@petstore/contracts';
import { InvalidArgumentError } from 'commander';
import { bootstrapName } from './api-keys.service.js';

// Parsers for the arguments of the keys command. Each throws an InvalidArgumentError that names the allowed values.

export function keyName(text: string): string {
  if (text === bootstrapName)
    throw new InvalidArgumentError(`The name ${bootstrapName} is reserved for BOOTSTRAP_API_KEY.`);
  if (/^\P{Cc}{1,100}$/u.test(text) && text.trim() !== '') return text;
  throw new InvalidArgumentError('It must have 1 to 100 characters in one line.');
}

export function keyScopes(text: string): ApiKeyScope[] {
  const given = new Set(text.split(',').map((part) => part.trim()));
  const chosen = apiKeyScopes.filter((scope) => given.delete(scope));
  if (given.size === 0 && chosen.length > 0) return chosen;
  throw new InvalidArgumentError(`Allowed scopes, comma-separated: ${apiKeyScopes.join(', ')}.`);
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export function durationMs(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (unitMs[unit] ?? 0);
  throw new InvalidArgumentError('It must be a number from 1 to 99999 and m, h or d, such as 30m, 12h or 90d.');
}

export function keyId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a key id that list shows.');
}
