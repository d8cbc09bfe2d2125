import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childrenOf } from '@petstore/processes/process-usage.js';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printGrowth } from '../src/report/print-growth.js';
import { printStandard } from '../src/report/print-standard.js';
import type { GrowthReport } from '../src/growth/growth-report.js';
import type { StandardReport } from '../src/standard/standard-report.js';

const entry = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const brief = ['--json', '--seconds', '0.3', '--warmup', '0.1'];
const children: ChildProcess[] = [];
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-bench-test-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

describe('the benchmark', { timeout: 240_000 }, () => {
  it('measures the service beside its peers', async () => {
    const { code, stdout, stderr } = await finish(
      start(['--quick', '--rounds', '1', '--memory', '1', '--animals', '2000']),
    );
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
    expect(await readdir(folder)).toEqual([]);
  });

  it('measures growth', async () => {
    const args = ['--growth', '--quick', '--rounds', '1', '--animals', '2000,3000'];
    const { code, stdout, stderr } = await finish(start(args));
    expect(code, stderr).toBe(0);
    const report = JSON.parse(stdout) as GrowthReport;
    expect(report.rows.map(({ animals }) => animals)).toEqual([2000, 3000]);
    expect(report.rows[0]?.pageRatios.first).toBe(1);
    expect(report.rows.every(({ countMs, createsPerSecond }) => countMs > 0 && createsPerSecond > 0)).toBe(true);
    expect(printGrowth(report)).toMatch(/^\| +3,000 \|/m);
  });

  it('fails with an example when an answer is wrong', async () => {
    const run = start(['--only', 'get', '--rounds', '1000', '--animals', '2000']);
    await says(run, 'round 1');
    await change('handwritten', `UPDATE pet SET name = 'Wrong'`);
    const { code, stdout, stderr } = await finish(run);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /handwritten: a wrong answer to GET \/v1\/pets\/\d+ .*expected 200 .*got +200 .*"name":"Wrong"/s,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('stops all that it started at Ctrl-C', async () => {
    const run = start(['--only', 'get', '--rounds', '1000', '--animals', '2000']);
    await says(run, 'round 1');
    const started = [...childrenOf(run.pid ?? 0), await postmasterPid()];
    expect(started.length).toBeGreaterThanOrEqual(5);
    await end(run, 'SIGINT');
    expect(run.exitCode).toBe(130);
    // The load process ends by itself, when it notices that nobody is there to tell.
    await expect.poll(() => started.filter((pid) => isAlive(pid)), { timeout: 5_000 }).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says what is wrong with an option', async () => {
    const { code, stderr } = await finish(start(['--only', 'delete']));
    expect([code, stderr.trim()]).toEqual([1, '--only delete: allowed are list, get, create, with commas between']);
  });
});

function start(args: string[]): ChildProcess {
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, [entry, ...brief, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function finish(child: ChildProcess) {
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => text(stream ?? Readable.from([]))),
  );
  await ended;
  return { code: child.exitCode, stdout: stdout ?? '', stderr: stderr ?? '' };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function says(child: ChildProcess, words: string): Promise<void> {
  let said = '';
  while (!said.includes(words)) said += String((await once(child.stderr ?? child, 'data'))[0]);
}

async function change(database: string, sql: string): Promise<void> {
  const [dataDir = ''] = await readdir(folder);
  const client = new Client({ host: join(folder, dataDir, 'socket'), user: 'petstore', database });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function postmasterPid(): Promise<number> {
  const [dataDir = ''] = await readdir(folder);
  return Number.parseInt(await readFile(join(folder, dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
