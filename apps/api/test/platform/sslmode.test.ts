import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { certificate, privateKey } from '@petstore/test-kit/tls-certificate.js';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../support/folder.js';
import { useDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';

const database = useDatabase();
afterEach(() => vi.restoreAllMocks());

/** A database server with TLS: forwards connections to a server without. Returns its URL. */
async function startTlsLink(databaseUrl: string): Promise<URL> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host') ?? '';
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    // The request for TLS; the response S accepts it.
    socket.once('data', () => {
      socket.write('S');
      const client = new TLSSocket(socket, { isServer: true, key: privateKey, cert: certificate });
      const upstream = connect(`${folder}/.s.PGSQL.5432`);
      sockets.push(socket, upstream);
      for (const end of [client, upstream, socket]) end.on('error', () => socket.destroy());
      client.pipe(upstream).pipe(client);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  target.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  target.searchParams.delete('host');
  return target;
}

it.each([
  ['sslmode=require', false, ''],
  ['sslmode=require', true, ''],
  ['sslmode=verify-ca', true, ''],
  ['sslmode=verify-full', false, 'self-signed certificate'],
  ['sslmode=verify-full', true, 'does not match certificate'],
  ['sslrootcert=system', false, 'self-signed certificate'],
  ['sslmode=verify-full&sslrootcert=system', false, 'self-signed certificate'],
])('%s with a file as sslrootcert: %s; connects as psql does: "%s"', async (query, hasRoot, expected) => {
  const warn = vi.spyOn(process, 'emitWarning');
  const url = await startTlsLink(database.url);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  const root = join(await createFolder(), 'root.crt');
  await writeFile(root, certificate);
  if (hasRoot) url.searchParams.set('sslrootcert', root);
  const error = await startError(url.href);
  if (expected === '') expect(error).toBe('');
  else expect(error).toContain(expected);
  expect(warn).not.toHaveBeenCalled();
});
