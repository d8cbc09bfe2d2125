import { isAlive } from '@petstore/processes/postmaster.js';
import { describe, expect, it } from 'vitest';
import type { GrowthReport } from '../src/growth/growth-report.js';
import { printGrowth } from '../src/report/print-growth.js';
import { BenchmarkProcess } from './support/benchmark-process.js';

const endless = ['--growth', '--rounds', '1000', '--seconds', '0.1', '--animals', '2000'];

describe('npm run bench -- --growth', { timeout: 240_000 }, () => {
  it('measures the service with tables of several sizes', async () => {
    const run = await BenchmarkProcess.start('--growth', '--animals', '2000,3000');
    const { code, stdout, stderr } = await run.finish();
    expect(code, stderr).toBe(0);
    const report = JSON.parse(stdout) as GrowthReport;
    expect(report.rows.map(({ animals }) => animals)).toEqual([2000, 3000]);
    expect(report.rows[0]?.pageRatios.first).toBe(1);
    expect(report.rows.every(({ countMs, createsPerSecond }) => countMs > 0 && createsPerSecond > 0)).toBe(true);
    expect(printGrowth(report)).toMatch(/^\| +3,000 \|/m);
  });

  it('fails with an example when a response is wrong', async () => {
    const run = await BenchmarkProcess.start(...endless);
    await run.writes('Round 1');
    await run.query('growth_2000', `UPDATE pet SET name = 'Wrong'`);
    const { code, stdout, stderr } = await run.finish();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/service: a wrong response to GET \/v1\/pets\?.*expected 200 .*got +200 .*"name":"Wrong"/s);
    expect(await run.temporaryFiles()).toEqual([]);
  });

  it('stops all its processes at Ctrl-C', async () => {
    const run = await BenchmarkProcess.start(...endless);
    await run.writes('Round 1');
    const started = await run.processes();
    expect(started.length).toBeGreaterThanOrEqual(3);
    await run.end('SIGINT');
    expect(run.exitCode).toBe(130);
    // The load process ends when it notices that its parent has ended.
    await expect.poll(() => started.filter(isAlive), { timeout: 5_000 }).toEqual([]);
    expect(await run.temporaryFiles()).toEqual([]);
  });

  it('explains a wrong option', async () => {
    const { code, stderr } = await (await BenchmarkProcess.start('--only', 'delete')).finish();
    expect([code, stderr.trim()]).toEqual([1, '--only must be a comma-separated list of list, get, create.']);
  });
});
