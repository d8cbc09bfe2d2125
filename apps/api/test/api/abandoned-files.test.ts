import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a file response that the client abandons', () => {
  it.runIf(process.platform === 'linux')('are closed with its connection', async () => {
    const bundle = 'swagger-ui-bundle.js';
    const ready = 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n';
    const file = `GET /docs/${bundle} HTTP/1.1\r\nHost: a\r\n\r\n`;
    for (let number = 0; number < 20; number += 1) await sendAndGo(`${ready}${file.repeat(3)}`, number % 4);
    await expect.poll(() => openFiles(bundle)).toEqual([]);
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    await sendAndGo(file.repeat(15), 200);
    await expect.poll(() => openFiles(bundle)).toEqual([]);
    process.off('warning', warn);
    expect(warnings).toEqual([]);
    expect((await (await fetch(`${service.url}/docs/${bundle}`)).text()).length).toBeGreaterThan(1_000_000);
  });

  it.runIf(process.platform === 'linux')(
    'opens no file for a client that pipelines requests and reads nothing',
    async () => {
      const { hostname, port } = new URL(service.url);
      const bundle = 'swagger-ui-bundle.js';
      const sockets = Array.from({ length: 8 }, () => connect({ host: hostname, port: Number(port) }));
      for (const socket of sockets) {
        socket.on('error', () => undefined).pause();
        socket.write(`GET /docs/${bundle} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(1500));
      }
      for (let number = 0; number < 20; number += 1) expect((await service.api.get('/v1/pets')).status).toBe(200);
      expect((await openFiles(bundle)).length).toBeLessThan(sockets.length);
      for (const socket of sockets) socket.destroy();
    },
  );
});
