import { describe, expect, it } from 'vitest';
import { printStandard } from '../src/report/print-standard.js';
import type { StandardReport } from '../src/standard/standard-report.js';
import { BenchmarkProcess } from './support/benchmark-process.js';

describe('npm run bench', { timeout: 240_000 }, () => {
  it('measures the service and its peers', async () => {
    const run = await BenchmarkProcess.start('--memory', '0.1', '--animals', '2000');
    const { code, stdout, stderr } = await run.finish();
    expect(code, stderr).toBe(0);
    const report = JSON.parse(stdout) as StandardReport;
    expect(report.rows).toHaveLength(22);
    for (const row of report.rows) {
      expect(row.requestsPerSecond).toBeGreaterThan(0);
      expect(row.p99Ms).toBeGreaterThanOrEqual(row.p50Ms);
      expect(row.peakBytes).toBeGreaterThan(2e7);
    }
    expect(report.ratios).toHaveLength(16);
    const rate = (target: string) => report.rows.find((row) => row.target === target)?.requestsPerSecond ?? 0;
    expect(report.ratios[0]?.median).toBeCloseTo(rate('service') / rate('handwritten'), 5);
    expect(report.loadTool?.twoProcesses).toBeGreaterThan(0);
    expect(report.memory?.peak).toBeGreaterThan(2e7);
    expect(printStandard(report)).toMatch(/^\| list, same page +\| service +\| +[\d,]+ \|/m);
    expect(await run.temporaryFiles()).toEqual([]);
  });
});
