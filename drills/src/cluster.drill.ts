import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { Program } from '@petstore/test-kit/program.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { expect, type TestContext } from 'vitest';
import { Cluster, startService } from './cluster.js';
import { drill, figures, isQuick, requirePrograms } from './drill.js';
import type { Machine } from './machine.js';
import { WritingClients } from './writing-clients.js';

/** As deploy/cluster/patroni.yml names it. */
const postgres = '/usr/lib/postgresql/15/bin/postgres';
const url = 'http://proxy:3000';

/** Starts itself again in a sandbox, where this variable is the directory for the files of the machines. */
const sandboxDirectory = process.env['DRILL_SANDBOX'];

drill(
  'deploy/cluster: the primary or a service is killed, frozen or cut off',
  { timeout: 1_200_000 },
  async ({ annotate, cleanup, skip }) => {
    if (sandboxDirectory === undefined) return runInSandbox(cleanup, skip);
    const cluster = await Cluster.start(sandboxDirectory);
    const clients = new WritingClients({ url, writers: 4, readers: 2, pauseMs: 50 });
    const { reads, writes } = clients;
    for (const [name, fault] of Array.from({ length: isQuick ? 1 : 2 }, () => Object.entries(faults)).flat()) {
      await sleep(2000);
      await clients.nextAcknowledged();
      [reads.longestGapMs, writes.longestGapMs] = [0, 0];
      await fault(cluster, clients);
      await cluster.primary();
      const gaps = { 'no writes for ms': writes.longestGapMs, 'no reads for ms': reads.longestGapMs };
      await annotate(`${name}: ${figures(gaps)}`);
    }
    await clients.audit(url);
    await annotate(figures({ animals: writes.count, reads: reads.count }));
  },
);

/** The time in which late effects of a fault still appear. */
const settleMs = 3000;

/** Each runs until writes work again and the cause is repaired. */
const faults: Readonly<Record<string, (cluster: Cluster, clients: WritingClients) => Promise<void>>> = {
  'primary killed': async (cluster, clients) => {
    const primary = await cluster.primary();
    await primary.crash();
    await untilReplaced(primary, cluster, clients);
    primary.start();
  },
  'service killed': async ({ service }, clients) => {
    await service.crash();
    await sleep(settleMs);
    await clients.nextAcknowledged();
    await startService(service);
  },
  'primary frozen': async (cluster, clients) => {
    const primary = await cluster.primary();
    // Twice: a process may have started another one before it was stopped itself.
    for (let time = 0; time < 2; time += 1) await primary.signal('SIGSTOP');
    await untilReplaced(primary, cluster, clients);
    await primary.signal('SIGCONT');
  },
  'primary cut off': async (cluster, clients) => {
    const primary = await cluster.primary();
    await primary.connect('down');
    await untilReplaced(primary, cluster, clients);
    await sleep(settleMs);
    await primary.connect('up');
  },
};

/** Waits until another machine is the primary and an animal is acknowledged. */
async function untilReplaced(primary: Machine, cluster: Cluster, clients: WritingClients): Promise<void> {
  await cluster.replaced(primary);
  await clients.nextAcknowledged();
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'drill.config.ts', 'src/cluster.drill.ts'];
const namespaces = ['--mount', '--net', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'];

/**
 * Prepares directories that hide those of the system, then runs the program. The shell collects the processes whose
 * parent was killed.
 */
const script = `
  mount -t tmpfs tmpfs /run && mkdir /run/netns /run/postgresql &&
  mount -t tmpfs tmpfs /dev/shm && ip link set lo up || exit 69
  "$@" & wait $!`;

/**
 * Runs the drill in Linux namespaces without a connection to any network. When it ends, so do all processes that it
 * started, and the system removes its networks. Skips the drill if the system does not allow namespaces.
 */
async function runInSandbox(cleanup: Cleanup, skip: TestContext['skip']): Promise<void> {
  requirePrograms(skip, ['ip', 'patroni', 'etcd', 'haproxy'], true);
  if (!existsSync(postgres)) skip('PostgreSQL 15 is not installed; on Debian 12: apt-get install postgresql-15');
  const command = ['unshare', ...namespaces, 'sh', '-c', script, 'sh', process.execPath, ...vitest];
  const env = { ...process.env, DRILL_SANDBOX: await temporaryDirectory(cleanup) };
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const sandbox = await cleanup.own(
    // Detached: the cleanup ends it after Ctrl-C.
    async () => new Program(command, { cwd, env, stdio: ['ignore', 'inherit', 'pipe'], detached: true }),
    (started) => started.end('SIGKILL'),
  );
  const code = await sandbox.exited();
  if (code === 69 || sandbox.output.startsWith('unshare:'))
    skip(`the system does not allow namespaces: ${sandbox.output}`);
  expect(code, sandbox.output).toBe(0);
}
