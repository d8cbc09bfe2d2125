import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '@petstore/processes/tls-certificate.js';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';
import { startTlsLink } from '../support/tls-link.js';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => database.drop());

async function rootCertificate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'root.crt'), certificate);
  return join(folder, 'root.crt');
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
