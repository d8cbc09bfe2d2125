import { execFileSync } from 'node:child_process';
import { constants, createReadStream, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/features/api-keys/api-key.js';
import { AuditLog } from '../../src/features/api-keys/audit-log.js';
import { formatForPeople, formatForPrograms, LogOutput } from '../../src/platform/logging/log-output.js';
import { createLogger } from '../../src/platform/logging/logger.js';

const key: ApiKey = {
  id: 1,
  name: 'till',
  scopes: ['read'],
  createdAt: new Date(0),
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Logs this number of lines before anything reads them. Returns the lines that are then read. */
async function logBurst(count: number, afterBurst?: (logger: Logger) => void): Promise<Record<string, unknown>[]> {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const output = new LogOutput(openSync(pipe, constants.O_RDWR), formatForPrograms);
  const logger = createLogger({ logLevel: 'info' }, output);
  for (let number = 0; number < count; number += 1) logger.info({ number, path: 'x'.repeat(400) }, 'request');
  afterBurst?.(logger);
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
  it('loses no line of a burst of 18,000 requests', async () => {
    const lines = await logBurst(18_000);
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(18_000);
    expect(lines.filter(({ dropped }) => dropped !== undefined)).toEqual([]);
  });

  it('counts the lines that it drops while its reader is stuck', async () => {
    const count = 40_000;
    const lines = await logBurst(count);
    const kept = lines.filter(({ msg }) => msg === 'request').length;
    expect(kept).toBeLessThan(count);
    const notice = lines.find(({ dropped }) => dropped !== undefined);
    expect(notice).toMatchObject({ level: 40, dropped: count - kept, msg: `Dropped ${count - kept} log lines.` });
  });

  it('keeps every audit event while it drops the lines of requests', async () => {
    const lines = await logBurst(40_000, (logger) => {
      const audit = new AuditLog(logger);
      for (let id = 1; id <= 100; id += 1) audit.keyRevoked({ ...key, id });
    });
    expect(lines.find(({ dropped }) => dropped !== undefined)).toBeDefined();
    const revoked = lines.filter(({ event }) => event === 'api_key.revoked').map(({ apiKeyId }) => apiKeyId);
    expect(revoked).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});

const formats = { 'the JSON log': formatForPrograms, 'the log for people': formatForPeople };

/** The text of one line with these fields. */
function textOf(format: (line: string) => string, fields: object, message: string): string {
  let text = '';
  createLogger({ logLevel: 'info' }, { write: (line) => (text += format(line)) }).info(fields, message);
  return text;
}

describe.each(Object.entries(formats))('%s', (_name, format) => {
  const character = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '\r', '\u001b[2J', '\u009b', '\u202e'),
  );
  const text = fc.array(character, { maxLength: 20 }).map((parts) => parts.join(''));

  it('has one line without control characters for each request, whatever a client sends', () => {
    fc.assert(
      fc.property(text, text, text, (path, address, message) => {
        const request = { requestId: message, method: 'GET', path, status: 200, ms: 1, address };
        expectOneLine(textOf(format, request, 'request'));
        expectOneLine(textOf(format, { address, nested: { path } }, message));
      }),
    );
  });

  it('has no control characters in errors, and indents the lines of a stack', () => {
    fc.assert(
      fc.property(text, (message) => {
        const lines = textOf(format, { err: new Error(message, { cause: new Error(message) }) }, 'failed').split('\n');
        expect(lines.pop()).toBe('');
        for (const [index, line] of lines.entries()) {
          expectNoControls(line);
          if (index > 0) expect(line).toMatch(/^ {4}/);
        }
      }),
    );
  });
});

function expectOneLine(text: string): void {
  expect(text.endsWith('\n')).toBe(true);
  expectNoControls(text.slice(0, -1));
}

function expectNoControls(line: string): void {
  expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u);
}
