import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

/** Sends requests and closes the connection before most responses arrive. */
async function sendAndGo(bytes: string, ms: number): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'connect');
  await sleep(ms);
  socket.resetAndDestroy();
}

/** The files that this process, which runs the service, has open. */
async function openFiles(name: string): Promise<string[]> {
  const fds = await readdir('/proc/self/fd');
  const files = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return files.filter((file) => file.endsWith(name));
}

const bundle = 'swagger-ui-bundle.js';
const ready = 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n';
const requests = [
  { file: bundle, request: `GET /docs/${bundle} HTTP/1.1\r\nHost: a\r\n\r\n` },
  { file: 'index.html', request: 'GET /pets/42 HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n' },
];

describe.runIf(process.platform === 'linux').each(requests)('a response with $file', ({ file, request }) => {
  it('closes the file when the client abandons it', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    for (let number = 0; number < 20; number += 1) await sendAndGo(`${ready}${request.repeat(3)}`, number % 4);
    await sendAndGo(request.repeat(15), 200);
    await expect.poll(() => openFiles(file)).toEqual([]);
    process.off('warning', warn);
    expect(warnings).toEqual([]);
    expect((await (await fetch(`${service.url}/docs/${bundle}`)).text()).length).toBeGreaterThan(1_000_000);
  });

  it('is no obstacle for others while clients pipeline requests and read nothing', async () => {
    const { hostname, port } = new URL(service.url);
    const sockets = Array.from({ length: 8 }, () => connect({ host: hostname, port: Number(port) }));
    for (const socket of sockets) {
      socket.on('error', () => undefined).pause();
      socket.write(request.repeat(60));
    }
    for (let number = 0; number < 20; number += 1) expect((await service.api.get('/v1/pets')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => openFiles(file)).toEqual([]);
  });
});

describe('pipelined requests for files', () => {
  it('all get their response', async () => {
    const file = (...headers: string[]) =>
      `${['GET /docs/theme.css HTTP/1.1', 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;
    const page = 'GET /pets/42 HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n';
    const responses = await sendRaw(service.url, `${file()}${ready}${page}${file()}${file('Connection: close')}`);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});
