import { describe, expect, it } from 'vitest';
import type { ProcessesReport } from '../src/processes/processes-report.js';
import { printProcesses } from '../src/report/print-processes.js';
import { printStorage } from '../src/report/print-storage.js';
import type { StorageReport } from '../src/storage/run-storage.js';
import { BenchmarkProcess } from './support/benchmark-process.js';

async function reportOf(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await (await BenchmarkProcess.start(...args)).finish();
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe('npm run bench', { timeout: 240_000 }, () => {
  it('--processes measures services with 1, 2 and 4 processes', async () => {
    const report = (await reportOf('--processes', '--animals', '2000')) as ProcessesReport;
    expect(report.rows.map(({ processes }) => processes)).toEqual([1, 2, 4, 1, 2, 4, 1, 2, 4]);
    expect(report.rows.every(({ requestsPerSecond }) => requestsPerSecond > 0)).toBe(true);
    const sum = report.rows.reduce((cpu, { serviceCpu, postgresCpu }) => cpu + serviceCpu + postgresCpu, 0);
    expect(sum).toBeGreaterThan(0);
    const [alone, ...several] = report.memory;
    expect(alone?.primaryBytes).toBe(0);
    for (const { primaryBytes, workerBytes } of several)
      expect(Math.min(primaryBytes, workerBytes)).toBeGreaterThan(2e7);
    expect(printProcesses(report)).toMatch(/^\| create, distinct +\| +4 \|/m);
  });

  it('--storage measures the bytes of an animal on disk and in the WAL', async () => {
    const report = (await reportOf('--storage', '--animals', '2000')) as StorageReport;
    const [plain, retryable] = report.rows;
    expect(plain?.idempotencyRecords).toBe(0);
    expect(retryable?.idempotencyRecords).toBeGreaterThan(50);
    for (const { table, wal } of report.rows) expect([table > 40, wal > table]).toEqual([true, true]);
    expect(printStorage(report)).toMatch(/^\| with an Idempotency-Key +\|/m);
  });
});
