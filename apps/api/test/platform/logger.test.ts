import { execFileSync } from 'node:child_process';
import { constants, createReadStream, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatForPeople, formatForPrograms, LogOutput } from '../../src/platform/logging/log-output.js';
import { createLogger } from '../../src/platform/logging/logger.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Logs this number of lines before anything reads them. Returns the lines that are then read. */
async function logBurst(count: number): Promise<Record<string, unknown>[]> {
  const pipe = join(folder, `pipe-${count}`);
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
    if (line['msg'] === 'last') output.end();
    lines.push(line);
  }
  return lines;
}

describe.runIf(process.platform !== 'win32')('the log', () => {
  it('loses no line of a burst of 18,000 requests, and counts those that it drops while its reader is stuck', async () => {
    expect((await logBurst(18_000)).filter(({ msg }) => msg !== 'last')).toHaveLength(18_000);
    const count = 40_000;
    const lines = await logBurst(count);
    const kept = lines.filter(({ msg }) => msg === 'request').length;
    expect(kept).toBeLessThan(count);
    const notice = lines.find(({ dropped }) => dropped !== undefined);
    expect(notice).toMatchObject({ level: 40, dropped: count - kept, msg: `Dropped ${count - kept} log lines.` });
  });
});

/** The text of one line with these fields. */
function textOf(format: (line: string) => string, fields: object, message: string): string {
  let text = '';
  createLogger({ logLevel: 'info' }, { write: (line) => (text += format(line)) }).info(fields, message);
  return text;
}

describe.each([
  ['the JSON log', formatForPrograms],
  ['the log for people', formatForPeople],
])('%s', (_name, format) => {
  const character = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '\r', '\u001b[2J', '\u009b', '\u202e'),
  );
  const text = fc.array(character, { maxLength: 20 }).map((parts) => parts.join(''));

  it('has one line without control characters for each request, whatever a client sends', () => {
    fc.assert(
      fc.property(text, text, text, (path, address, message) => {
        const request = { requestId: message, method: 'GET', path, status: 200, ms: 1, address, nested: { path } };
        for (const line of [textOf(format, request, 'request'), textOf(format, request, message)]) {
          expect(line.endsWith('\n')).toBe(true);
          expectNoControls(line.slice(0, -1));
        }
      }),
    );
  });
});

function expectNoControls(line: string): void {
  expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u);
}
