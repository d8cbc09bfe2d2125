import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { isolatedEnvironment, serviceDirectory } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sendOne } from '../support/raw-http.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let output = '';
beforeAll(async () => {
  service = await TestService.prepareOnServer();
});
afterAll(() => service.remove());

/** Starts the service with a limit of 300 open files. It ends with the test. */
function launch(variables: Record<string, string>): void {
  const command = `ulimit -n 300 && exec '${process.execPath}' '${serviceDirectory}main.js'`;
  const child = spawn('sh', ['-c', command], { env: isolatedEnvironment({ ...service.variables, ...variables }) });
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  // A test that fails must not leave the service running.
  onTestFinished(() => end(child));
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

describe.runIf(process.platform === 'linux')('the processes of WEB_CONCURRENCY that may open few files', () => {
  it('log a warning at start, close the connections that they cannot take, and serve later ones', async () => {
    launch({ WEB_CONCURRENCY: '2', LOG_LEVEL: 'info' });
    const pids = () => new Set([...output.matchAll(/"pid":(\d+),"requestId"/g)].map(([, pid]) => pid));
    const pidsAfterRequest = async () => {
      await sendOne(service.url, 'GET /healthz HTTP/1.1').catch(() => undefined);
      return pids().size;
    };
    await expect.poll(pidsAfterRequest).toBe(2);
    expect(output).toContain('may open only 300 files and connections');
    expect(output).toContain('"maxConnections":200');
    let closed = 0;
    const sockets = Array.from({ length: 450 }, () =>
      connect(service.port, '127.0.0.1')
        .on('error', () => undefined)
        .on('close', () => (closed += 1)),
    );
    // A process closes connections above its limit, even if the other one has room.
    await expect.poll(() => closed).toBeGreaterThanOrEqual(50);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await service.fetch('/v1/pets').catch(() => undefined))?.status).toBe(200);
  });
});
