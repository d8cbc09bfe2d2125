import type { ApiKey } from './api-key.js';
import { bootstrapName, type MadeApiKey } from './api-keys.service.js';

/** Without what a later version may add for itself. */
export function toJson({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey): ApiKey {
  return { id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt };
}

/** A key that has just been made, itself included, this once. */
export function toMadeJson({ id, name, key, scopes, createdAt, expiresAt }: MadeApiKey) {
  return { id, name, key, scopes, createdAt, expiresAt };
}

export function madeKeyText({ id, name, key, scopes, expiresAt }: MadeApiKey): string {
  return [
    `Made key ${id} (${name}) with the scopes ${scopes.join(', ')}; it ${expiresAt ? `works until ${minute(expiresAt)}` : 'does not expire'}.`,
    '',
    `  ${key}`,
    '',
    'It is shown this once and stored nowhere: keep it somewhere safe.',
  ].join('\n');
}

export function revokedText({ id, name }: ApiKey): string {
  const text = `The key ${id} (${name}) is revoked.`;
  if (name !== bootstrapName) return text;
  return `${text} Change or remove BOOTSTRAP_API_KEY too: the next start with it makes its key good again.`;
}

/** One line a key, in columns. */
export function keyTable(keys: readonly ApiKey[], now: Date): string {
  if (keys.length === 0) return 'There is no key yet: npm run keys -- create --name NAME makes one.';
  const head = ['ID', 'NAME', 'SCOPES', 'STATE', 'CREATED', 'LAST USED'];
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    key.scopes.join(','),
    state(key, now),
    minute(key.createdAt),
    key.lastUsedAt ? minute(key.lastUsedAt) : 'never',
  ]);
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function state({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt) return `revoked ${minute(revokedAt)}`;
  if (!expiresAt) return 'good';
  return `${expiresAt <= now ? 'expired' : 'good until'} ${minute(expiresAt)}`;
}

function minute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
