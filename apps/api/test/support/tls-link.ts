import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

/** Self-signed, for the host database.example. Only for tests: the key is public. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBqzCCAVCgAwIBAgIUXGD1n886KuPg4wIZwIi1gK/1E2wwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQZGF0YWJhc2UuZXhhbXBsZTAgFw0yNjExMjIyMTE1MTZaGA8y
MTI2MTAyOTIxMTUxNlowGzEZMBcGA1UEAwwQZGF0YWJhc2UuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABIlvQpvUSN8oz2oSm7T6w063nGipFxNiFXWG
QrUpdlGLMWTDNQJfxXYyP6XJWJ3A+hrqvaoB+ZjLL5UfXdjwBxSjcDBuMB0GA1Ud
DgQWBBQ3WV+WI9JVbfdQTH2K5xmyZLv/4TAfBgNVHSMEGDAWgBQ3WV+WI9JVbfdQ
TH2K5xmyZLv/4TAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEGRhdGFiYXNl
LmV4YW1wbGUwCgYIKoZIzj0EAwIDSQAwRgIhAKr/wiwlHSm0Mpoc3BBK+J/itdz8
CC32XH37GJSXwlXnAiEAogjLpIf06EX+w0gCJUxT/OU8iQfTaVg89R/bfNqdrjw=
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmaWnVzsSyp9Xz49C
4j+r4m8dFIWfKwGNlDyMK6Pi7P6hRANCAASJb0Kb1EjfKM9qEpu0+sNOt5xoqRcT
YhV1hkK1KXZRizFkwzUCX8V2Mj+lyVidwPoa6r2qAfmYyy+VH13Y8AcU
-----END PRIVATE KEY-----`;

/** A database server with TLS: forwards connections to a server without. Returns its URL. */
export async function startTlsLink(databaseUrl: string): Promise<URL> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host') ?? '';
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    // The request for TLS; the answer S accepts it.
    socket.once('data', () => {
      socket.write('S');
      const client = new TLSSocket(socket, { isServer: true, key, cert: certificate });
      const database = connect(`${folder}/.s.PGSQL.5432`);
      sockets.push(socket, database);
      for (const end of [client, database, socket]) end.on('error', () => socket.destroy());
      client.pipe(database).pipe(client);
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
