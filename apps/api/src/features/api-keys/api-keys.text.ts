import { printable, textTable } from '@petstore/contracts';
import { withProgramNames } from '../../platform/product.js';
import type { ApiKey } from './api-key.js';
import { bootstrapName, type CreatedApiKey } from './api-keys.service.js';

/** Lists each field, so that a new column never leaks. */
export function toJson({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiKey) {
  // JSON would write null for a date that cannot be read, and null means that the key never expires.
  const isUnreadable = Number.isNaN(expiresAt?.getTime());
  return { id, name, scopes, createdAt, expiresAt: isUnreadable ? 'unreadable' : expiresAt, lastUsedAt, revokedAt };
}

/** A new key, the only time that it is shown. */
export function toCreatedJson({ id, name, key, scopes, createdAt, expiresAt }: CreatedApiKey) {
  return { id, name, key, scopes, createdAt, expiresAt };
}

export function createdKeyText({ id, name, key, scopes, expiresAt }: CreatedApiKey): string {
  return [
    `Created key ${id} (${name}) with the scopes ${scopes.join(', ')}. It ${expiresAt ? `expires at ${minute(expiresAt)}` : 'does not expire'}.`,
    '',
    `  ${key}`,
    '',
    'Store it in a safe place: it is not shown again.',
  ].join('\n');
}

export function revokedText({ id, name }: ApiKey): string {
  const text = `The key ${id} (${name}) is revoked.`;
  if (name !== bootstrapName) return text;
  return `${text} Change or remove BOOTSTRAP_API_KEY too: the next start with it restores the key.`;
}

/** A table with one line per key. */
export function keyTable(keys: readonly ApiKey[], now: Date): string {
  if (keys.length === 0)
    return withProgramNames('There are no keys. Run "npm run keys -- create --name NAME" to create one.');
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

/** After a restore: a backup has the keys as they were when it was written, and no database knows what happened since. */
export function restoredKeysText(keys: readonly ApiKey[], now: Date): string {
  const valid = keys.filter((key) => isValid(key, now));
  if (valid.length === 0) return 'No API key of the backup is valid.';
  const count = valid.length === 1 ? '1 API key is valid' : `${valid.length} API keys are valid`;
  return [
    `${count}, as when the backup was written. A key that was revoked since then is valid again:`,
    '',
    keyTable(valid, now),
    '',
    'To revoke a key: npm run keys -- revoke ID',
  ].join('\n');
}

function isValid({ revokedAt, expiresAt }: ApiKey, now: Date): boolean {
  return !revokedAt && (!expiresAt || expiresAt > now);
}

function state({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt) return `revoked ${minute(revokedAt)}`;
  if (!expiresAt) return 'valid';
  return `${expiresAt > now ? 'valid until' : 'expired'} ${minute(expiresAt)}`;
}

/** A date of the database may be one that JavaScript lacks, such as `infinity`. */
function minute(time: Date): string {
  if (Number.isNaN(time.getTime())) return 'at an unreadable date';
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
