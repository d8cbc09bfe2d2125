import { execFileSync } from 'node:child_process';
import { constants, createReadStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { formatForPrograms, LogOutput } from '../../src/platform/logging/log-output.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { createFolder } from '../support/folder.js';

/** Logs this number of lines before anything reads them. Returns the lines that are then read. */
async function logBurst(count: number): Promise<Record<string, unknown>[]> {
  const pipe = join(await createFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const output = new LogOutput(openSync(pipe, constants.O_RDWR), formatForPrograms);
  const logger = createLogger({ logLevel: 'info' }, output);
  for (let number = 0; number < count; number += 1) logger.info({ number, path: 'x'.repeat(400) }, 'request');
  const lines: Record<string, unknown>[] = [];
  const { onDrain } = output;
  output.onDrain = (dropped) => {
    output.onDrain = onDrain;
    onDrain(dropped);
    logger.info('last');
  };
  for await (const text of createInterface(createReadStream(pipe))) {
    const line = JSON.parse(text) as Record<string, unknown>;
    if (line['msg'] === 'last') void output.end();
    lines.push(line);
  }
  return lines;
}

it.runIf(process.platform !== 'win32')(
  'the log loses no line of a burst of 18,000 requests, and counts those that it drops while its reader is stuck',
  async () => {
    expect((await logBurst(18_000)).filter(({ msg }) => msg !== 'last')).toHaveLength(18_000);
    const count = 40_000;
    const lines = await logBurst(count);
    const kept = lines.filter(({ msg }) => msg === 'request').length;
    expect(kept).toBeLessThan(count);
    const notice = lines.find(({ dropped }) => dropped !== undefined);
    expect(notice).toMatchObject({ level: 40, dropped: count - kept, msg: `Dropped ${count - kept} log lines.` });
  },
);
