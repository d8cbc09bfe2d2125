import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let server: Server;
beforeEach(async () => {
  service = await startTestApp();
  server = service.app.getHttpServer();
});
afterEach(() => service.close());

describe('the connections of a process', () => {
  it.runIf(process.platform === 'linux')('are limited to its file descriptors minus 100, at most 10,000', () => {
    const [, descriptors] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    expect(server.maxConnections).toBe(Math.min(10_000, Number(descriptors) - 100));
  });

  it('beyond the limit are closed, counted and logged', async () => {
    const [allowed, opened] = [3, 20];
    server.maxConnections = allowed;
    let closed = 0;
    const sockets = Array.from({ length: opened }, () =>
      connect(Number(new URL(service.url).port), '127.0.0.1')
        .on('error', () => undefined)
        .on('close', () => (closed += 1)),
    );
    await expect.poll(() => closed).toBe(opened - allowed);
    const lines = () => service.logged.filter(({ dropped }) => dropped !== undefined);
    const total = () => lines().reduce((sum, { dropped }) => sum + Number(dropped), 0);
    await expect.poll(total).toBe(opened - allowed);
    expect(lines().length).toBeLessThan(opened / 2);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await service.api.get('/v1/pets')).status).toBe(200);
  });
});
