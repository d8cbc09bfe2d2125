import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { isAlive } from '@petstore/processes/postmaster.js';
import { runProgram } from '@petstore/processes/program.js';
import { freePort } from '@petstore/processes/server-process.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { stopDuringCreates } from '../support/pending-create.js';
import { sendOne } from '../support/raw-http.js';
import { TestService } from '../support/test-service.js';
import { RetryingWriters } from '../support/retrying-writers.js';

let service: TestService;
let categories: string;
let metricsPort: string;
beforeAll(async () => {
  service = await TestService.prepare();
  metricsPort = String(await freePort());
  categories = join(service.dataDir, 'categories.csv');
  service.with({
    WEB_CONCURRENCY: '2',
    LOG_LEVEL: 'info',
    METRICS_PORT: metricsPort,
    CATEGORIES_FILE: categories,
    SHUTDOWN_GRACE_MS: '60000',
  });
});
beforeEach(async () => {
  service.output = '';
  await writeFile(categories, '1,Dogs\n');
});
afterAll(() => service.remove());

/** The complete log lines with this message since the test began. */
function logged(message: string): Record<string, unknown>[] {
  const lines = service.output.split('\n').filter((line) => line.endsWith(`"msg":"${message}"}`));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Waits until two processes have served requests, other than `ended`. Returns their pids. */
async function servingPids(ended?: number): Promise<number[]> {
  const pids = () => [...new Set(logged('request').map(({ pid }) => Number(pid)))].filter((pid) => pid !== ended);
  const pidsAfterRequest = async () => {
    await sendOne(service.url, 'GET /healthz HTTP/1.1').catch(() => undefined);
    return pids();
  };
  await expect.poll(pidsAfterRequest).toHaveLength(2);
  return pids();
}

async function killOne(): Promise<number> {
  const [pid = 0] = await servingPids();
  process.kill(pid, 'SIGKILL');
  return pid;
}

describe('a start with WEB_CONCURRENCY=2 that cannot succeed', () => {
  it.each([
    [{ HOST: '192.0.2.1' }, 78, 'Invalid configuration:\n  HOST: 192.0.2.1 is not an address of this machine; use'],
    [
      { DATABASE_POOL_MAX: '60' },
      78,
      'Invalid configuration:\n  WEB_CONCURRENCY=2 with DATABASE_POOL_MAX=60 needs up to 124 database connections, but ' +
        'the server allows 97. Lower DATABASE_POOL_MAX to 46, lower WEB_CONCURRENCY, or raise max_connections',
    ],
  ])('reports %j once, and stops PostgreSQL', async (variables, exitCode, message) => {
    const { code, stderr } = await runProgram('main.js', [], {
      ...service.variables,
      LOG_FORMAT: 'pretty',
      ...variables,
    });
    expect([code, stderr]).toEqual([exitCode, expect.stringMatching(/^[^\n]*\n[^\n]*\n$/)]);
    expect(stderr).toContain(message);
    expect(await service.postmasterPid()).toBeUndefined();
  });

  it('reports a port in use once', async () => {
    const { code, stderr } = await service.runWithPortInUse();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\{[^\n]*\n$/);
    expect(stderr).toContain(`Port ${service.port} is already in use on 127.0.0.1. Set PORT to use another port.`);
    expect(await service.postmasterPid()).toBeUndefined();
  });
});

/** The processes that a process started, by its id. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** The worker processes of the service. */
async function workerPids(): Promise<number[]> {
  const pids = await childrenOf(service.pid);
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => commands[index]?.includes('worker.js'));
}

/** Adds animals one after the other on one connection. It does not retry, but opens another connection after a failure. */
class PlainWriter {
  readonly statuses = new Set<number | undefined>();
  requests = 0;
  /** For each failed request, the id of the first one on its connection; not if the connection had no response at all. */
  readonly failedAfter: string[] = [];
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  private isFinishing = false;
  private readonly running = this.write();

  finish(): Promise<void> {
    this.isFinishing = true;
    return this.running;
  }

  private async write(): Promise<void> {
    for (let first: string | undefined; !this.isFinishing; this.requests += 1) {
      try {
        const id = await this.create();
        first ??= id;
      } catch {
        // Without one, the connection was passed to the killed process before it accepted it.
        if (first !== undefined) this.failedAfter.push(first);
        first = undefined;
      }
    }
    this.agent.destroy();
  }

  /** Returns the request id. */
  private async create(): Promise<string> {
    const sent = http.request(`${service.url}/v1/pets`, {
      agent: this.agent,
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(20_000),
    });
    sent.end('{"name":"Rex","categoryId":7}');
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    this.statuses.add(response.statusCode);
    await once(response.resume(), 'end');
    return String(response.headers['x-request-id']);
  }
}

describe('WEB_CONCURRENCY=2', () => {
  it.runIf(process.platform === 'linux')(
    'starts the first process again if a signal kills it before it is ready',
    async () => {
      await service.launch();
      await expect.poll(workerPids, { interval: 5 }).toHaveLength(1);
      for (const pid of await workerPids()) process.kill(pid, 'SIGKILL');
      await expect.poll(() => logged('Petstore is ready.')).toHaveLength(1);
      expect(service.output).toContain('"reason":"SIGKILL","msg":"A process ended. Another one starts in 1000 ms."');
      // The second attempt prepares the keys, like the first one.
      expect((await service.api.get('/key.json')).status).toBe(200);
      expect(await service.end('SIGTERM')).toBe(0);
    },
  );

  it('starts two processes, logs their number once, and adds up their metrics', async () => {
    await service.start();
    await servingPids();
    expect(logged('  Processes 2')).toHaveLength(1);
    expect(logged('Petstore is ready.')).toHaveLength(1);

    const read = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    await expect.poll(read).toContain('\npetstore_database_connections{state="max"} 20\n');
    for (let request = 0; request < 10; request += 1) await service.api.get('/v1/pets');
    const text = await read();
    expect(text).toContain('\npetstore_http_requests_total{operation="listPets",status="200"} 10\n');
    expect(text).toContain('\npetstore_processes 2\n');
    expect(text).toMatch(/\npetstore_build_info{version="[^"]+"} 1\n/);
  });

  it('answers others while 40 connections pipeline small requests', async () => {
    let closed = 0;
    const ending = new AbortController();
    const flood = async () => {
      // The service closes each connection after 80 responses.
      for (; !ending.signal.aborted; closed += 1) {
        const socket = await service.connect();
        socket.resume().write('GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2300));
        await once(socket, 'close');
      }
    };
    const floods = Array.from({ length: 40 }, flood);
    await expect.poll(() => closed).toBeGreaterThan(40);
    expect((await sendOne(service.url, 'GET /healthz HTTP/1.1')).status).toBe(200);
    ending.abort();
    await Promise.all(floods);
  });

  it('completes the requests of both processes after SIGTERM', async () => {
    expect(await stopDuringCreates(service)).toEqual({ statuses: new Set([201]), exitCode: 0 });
    const lines = logged('request').filter(({ method }) => method === 'POST');
    expect(new Set(lines.map(({ pid }) => pid)).size).toBe(2);
    expect(await service.postmasterPid()).toBeUndefined();
  });

  it('replaces a process that is killed while clients write, and loses no acknowledged animal', async () => {
    await service.start();
    const clients = new RetryingWriters(service.api, 4);
    await expect.poll(() => clients.acknowledged.size).toBeGreaterThan(50);
    const killed = await killOne();
    await servingPids(killed);
    const acknowledged = await clients.finish();
    const stored = (await clients.storedAnimals()).filter(({ name }) => name !== 'Rex');
    expect(clients.unexpected).toEqual([]);
    expect(new Map(stored.map(({ name, id }) => [name, id]))).toEqual(acknowledged);
    expect(stored.length).toBe(acknowledged.size);
  });

  it('fails only the requests in progress of a process that is killed, for clients that do not retry', async () => {
    const writers = Array.from({ length: 8 }, () => new PlainWriter());
    const everyoneSent = async (count: number) => {
      const before = writers.map(({ requests }) => requests);
      const sent = () => writers.map(({ requests }, index) => requests - (before[index] ?? 0));
      await expect.poll(() => Math.min(...sent())).toBeGreaterThan(count);
    };
    await everyoneSent(10);
    const killed = await killOne();
    await everyoneSent(10);
    await Promise.all(writers.map((writer) => writer.finish()));
    const pids = new Map(logged('request').map(({ requestId, pid }) => [requestId, pid]));
    const failed = writers.flatMap(({ failedAfter }) => failedAfter.map((id) => pids.get(id) ?? id));
    expect(new Set(failed)).toEqual(new Set([killed]));
    expect(Math.max(...writers.map(({ failedAfter }) => failedAfter.length))).toBe(1);
    expect(new Set(writers.flatMap(({ statuses }) => [...statuses]))).toEqual(new Set([201]));
  });

  it('closes a connection that was passed to a process which is killed before it accepts it', async () => {
    const [pid = 0] = await servingPids();
    process.kill(pid, 'SIGSTOP');
    const sockets = await Promise.all(Array.from({ length: 4 }, () => service.connect()));
    // A reset of the connection is fine: once() would reject.
    const closed = sockets.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('close', resolve);
        }),
    );
    for (const socket of sockets)
      socket.resume().write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await Promise.race(closed);
    process.kill(pid, 'SIGKILL');
    await Promise.all(closed);
    await servingPids(pid);
  });

  it('keeps serving while a replacement cannot start, tries again, and does not restore a revoked BOOTSTRAP_API_KEY', async () => {
    // The killed processes of other tests would delay the replacement.
    await service.end('SIGTERM');
    service.output = '';
    await service.start();
    const created = await runProgram('manage.js', ['keys', 'create', '--name', 'other', '--json'], service.variables);
    const other = new Api(service.url, (JSON.parse(created.stdout) as { key: string }).key);
    const { id } = (await service.api.get('/key.json')).json as { id: bigint };
    await runProgram('manage.js', ['keys', 'revoke', String(id)], service.variables);
    await writeFile(categories, 'one,Dogs\n');
    const killed = await killOne();
    await expect.poll(() => service.output).toContain('"reason":"exit code 78"');
    await expect.poll(async () => (await other.get('/categories.json')).json).toEqual([{ id: 1n, name: 'Dogs' }]);
    await writeFile(categories, '1,Dogs\n');
    await servingPids(killed);
    // Both processes load the keys within seconds.
    const statuses = () =>
      Promise.all(Array.from({ length: 4 }, async () => (await service.api.get('/key.json')).status));
    await expect.poll(statuses).toEqual([401, 401, 401, 401]);
    expect((await other.get('/key.json')).status).toBe(200);
  });

  it('ends with the process that started it, even if that one is killed', async () => {
    const pids = await servingPids();
    expect(pids.map(isAlive)).toEqual([true, true]);
    await service.end('SIGKILL');
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
  });
});
