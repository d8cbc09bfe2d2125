import { execFileSync } from 'node:child_process';
import { constants, createReadStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Log } from '../../src/platform/logging/log.js';
import { createFolder } from '../support/folder.js';

/** Logs this number of lines of about this size before anything reads them. Returns the lines that are then read. */
async function logBurst(count: number, bytes: number): Promise<Record<string, unknown>[]> {
  const pipe = join(await createFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const log = new Log({ logLevel: 'info', logFormat: 'json' }, openSync(pipe, constants.O_RDWR));
  const detail = 'x'.repeat(bytes);
  for (let number = 0; number < count; number += 1) log.logger.info({ number, detail }, 'request');
  const lines: Record<string, unknown>[] = [];
  for await (const text of createInterface(createReadStream(pipe))) {
    const line = JSON.parse(text) as Record<string, unknown>;
    lines.push(line);
    // The last line, or the notice that lines are missing.
    if (line['number'] === count - 1 || line['dropped'] !== undefined) void log.end();
  }
  return lines;
}

it.runIf(process.platform !== 'win32')(
  'the log loses no line of a burst of 18,000 requests, and counts those that it drops while its reader is stuck',
  async () => {
    expect(await logBurst(18_000, 400)).toHaveLength(18_000);
    // 20 MB.
    const count = 4_000;
    const lines = await logBurst(count, 5_000);
    const dropped = count - lines.filter(({ msg }) => msg === 'request').length;
    expect(dropped).toBeGreaterThan(0);
    expect(lines.at(-1)).toMatchObject({ level: 50, dropped, msg: `Dropped ${dropped} log lines.` });
  },
);

it.runIf(process.platform === 'linux')('the log continues on a full disk, and ends', async () => {
  const log = new Log({ logLevel: 'info', logFormat: 'json' }, openSync('/dev/full', 'w'));
  for (let turn = 0; turn < 3; turn += 1) {
    log.logger.info('request');
    await setImmediate();
  }
  // An error without a listener would fail the test.
  await expect(log.end()).resolves.toBeUndefined();
});
