import { freePort } from '@petstore/processes/program.js';
import { expect, it, onTestFinished } from 'vitest';
import { execute } from '../support/scratch-database.js';
import { prepareWithCluster } from '../support/service.js';

it('a crash of the embedded PostgreSQL is an error in the log and counts in the metrics; the service continues', async () => {
  const port = await freePort();
  const service = (await prepareWithCluster()).with({ METRICS_PORT: String(port), LOG_LEVEL: 'info' });
  onTestFinished(() => service.remove());
  await service.start();
  const crashes = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(/petstore_postgres_crashes_total (\d+)/.exec(metrics)?.[1]);
  };
  const isReady = () => service.fetch('/readyz').then(({ status }) => status === 200);
  expect(await crashes()).toBe(0);
  process.kill((await service.postmasterPid()) ?? 0, 'SIGKILL');
  await expect.poll(crashes).toBe(1);
  await expect.poll(isReady).toBe(true);
  // Until then, another crash belongs to this one.
  await expect.poll(() => service.output).toContain('PostgreSQL is running again.');
  expect(service.output).toMatch(/"event":"postgres_crashed".*PostgreSQL stopped unexpectedly\. Restarting it\./);

  // PostgreSQL ends all of its processes after a crash of one.
  const [row] = await execute(
    await service.databaseUrl(),
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'petstore' AND pid <> pg_backend_pid() LIMIT 1`,
  );
  process.kill(Number(row?.['pid']), 'SIGKILL');
  await expect.poll(crashes).toBeGreaterThan(1);
  await expect.poll(isReady).toBe(true);
  expect((await service.fetch('/v1/pets')).status).toBe(200);
});
