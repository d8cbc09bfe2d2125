import { existsSync, readdirSync } from 'node:fs';
import { residentBytes } from '@petstore/processes/process-usage.js';
import { expectQuickAnswers } from '../clients/quick-answers.js';
import type { Drill, Ground } from '../drill.js';
import { sendWithoutReading } from '../hostile/raw-client.js';
import { Service } from '../servers/service.js';
import { megabytes, number, seconds, type Tally } from '../tally.js';

const connections = 8;
const request = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n';
const pipelined = 1500;
/** The connections themselves, and those of the other client and of the database. */
const allowedFiles = 50;
const allowedBytes = 100_000_000;

export const pipelining: Drill = {
  name: 'pipelining',
  about: '8 connections without a key that each pipeline 1,500 requests for a large file and read nothing',
  limitSeconds: 60,
  async run({ cleanup, isQuick }: Ground, tally: Tally): Promise<void> {
    const service = await Service.start(cleanup);
    await expectQuickAnswers(service, 1000, tally);
    const before = usageOf(service.pid);
    const text = request.repeat(pipelined);
    const sockets = await Promise.all(
      Array.from({ length: connections }, () => sendWithoutReading(service.port, text)),
    );
    const slowest = await expectQuickAnswers(service, isQuick ? 2000 : 15_000, tally);
    const after = usageOf(service.pid);
    for (const socket of sockets) socket.destroy();
    const files = `open files ${number(before.files)} → ${number(after.files)}`;
    const memory = `memory ${megabytes(before.bytes)} → ${megabytes(after.bytes)}`;
    tally.expect(after.files - before.files <= allowedFiles, files);
    tally.expect(after.bytes - before.bytes <= allowedBytes, memory);
    tally.note(`${connections} connections with ${number(pipelined)} requests each: ${files}, ${memory}`);
    tally.note(`slowest response to others ${seconds(slowest)}`);
  },
};

/** Open files are counted on Linux only. */
function usageOf(pid: number): { files: number; bytes: number } {
  const descriptors = `/proc/${pid}/fd`;
  return { files: existsSync(descriptors) ? readdirSync(descriptors).length : 0, bytes: residentBytes(pid) };
}
