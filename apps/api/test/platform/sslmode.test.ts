import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificate } from '@petstore/processes/tls-certificate.js';
import { afterEach, expect, it, vi } from 'vitest';
import { createFolder } from '../support/folder.js';
import { useDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';
import { startTlsLink } from '../support/tls-link.js';

const database = useDatabase();
afterEach(() => vi.restoreAllMocks());

async function rootCertificate(): Promise<string> {
  const file = join(await createFolder(), 'root.crt');
  await writeFile(file, certificate);
  return file;
}

it.each([
  ['require', false, ''],
  ['require', true, ''],
  ['verify-ca', true, ''],
  ['verify-full', false, 'self-signed certificate'],
  ['verify-full', true, 'does not match certificate'],
])('sslmode=%s with sslrootcert %s connects as psql does: "%s"', async (mode, hasRoot, expected) => {
  const warn = vi.spyOn(process, 'emitWarning');
  const url = await startTlsLink(database.url);
  url.searchParams.set('sslmode', mode);
  if (hasRoot) url.searchParams.set('sslrootcert', await rootCertificate());
  const error = await startError(url.href);
  if (expected === '') expect(error).toBe('');
  else expect(error).toContain(expected);
  expect(warn).not.toHaveBeenCalled();
});

it.each(['sslrootcert=system', 'sslmode=verify-full&sslrootcert=system'])(
  '%s verifies the certificate with the public authorities',
  async (query) => {
    const url = await startTlsLink(database.url);
    for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
    expect(await startError(url.href)).toContain('self-signed certificate');
  },
);
