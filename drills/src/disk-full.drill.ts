import { execFile } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import type { PetstoreClient } from '@petstore/client';
import { audit, WritingClients } from './clients/writing-clients.js';
import { drill, type DrillContext } from './drill.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { Service } from './servers/service.js';
import { number, seconds, type Tally } from './tally.js';

const run = promisify(execFile);
const sizeMegabytes = 400;
const blockBytes = 1 << 20;
const recoveryMs = 30_000;

drill(
  'a full disk under the embedded database, then free space again',
  { timeout: 240_000 },
  async ({ cleanup, isQuick, tally, skip }) => {
    const disk = await smallDisk({ cleanup, skip });
    const service = await Service.start(cleanup, { variables: { DATA_DIR: join(disk, 'data') } });
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers: 8, tally });
    const rounds = isQuick ? 1 : 3;
    const reader = service.client({ retries: 0 });
    const postgres = () =>
      readFile(join(disk, 'data/postgres/postmaster.pid'), 'utf8').then((text) => text.split('\n')[0]);
    const before = await postgres();
    let [slowest, reads] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      await clients.nextAcknowledged();
      const ballast = await fill(disk);
      const { rejected } = tally;
      await vi.waitUntil(() => tally.rejected > rejected, { timeout: 10_000 });
      reads += await readFor(isQuick ? 2000 : 10_000, reader, tally);
      await rm(ballast);
      slowest = Math.max(slowest, await clients.nextAcknowledged());
    }
    tally.expect(slowest <= recoveryMs, `recovery took ${seconds(slowest)} after space was freed`);
    tally.expect(!service.hasEnded, 'the service process ended');
    tally.expect((await postgres()) === before, 'PostgreSQL ended');
    await audit(service.client(), await clients.finish(), tally);
    tally.note(
      `disk filled ${rounds} times, ${number(reads)} reads while it was full, slowest recovery ${seconds(slowest)}`,
    );
  },
);

/** Reads pages while the disk is full: each read must succeed. Returns their number. */
async function readFor(ms: number, client: PetstoreClient, tally: Tally): Promise<number> {
  let reads = 0;
  for (const end = performance.now() + ms; performance.now() < end; reads += 1) {
    await client
      .listPets({ limit: 10 })
      .page()
      .catch((error: Error) => tally.wrong.push(`a read failed: ${error.message}`));
    await sleep(10);
  }
  return reads;
}

/** Mounts a small disk in memory. Skips the drill if mounting is not allowed. */
async function smallDisk({ cleanup, skip }: Pick<DrillContext, 'cleanup' | 'skip'>): Promise<string> {
  const folder = await temporaryDirectory(cleanup);
  if (process.platform !== 'linux') skip('the small disk requires tmpfs, which only Linux has');
  const mount = run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMegabytes}m,mode=0777`, 'petstore-drill', folder]);
  const mounted = mount.catch((error: Error) => {
    skip(`this user cannot mount a small disk: ${error.message.trim()}`);
  });
  await cleanup.own(
    () => mounted,
    // Lazy, because a file on the disk may still be open.
    () => run('umount', ['--lazy', folder]),
  );
  return folder;
}

/** Writes a file until the disk is full. Returns its path. */
async function fill(disk: string): Promise<string> {
  const path = join(disk, 'ballast');
  const file = await open(path, 'w');
  try {
    for (let size = blockBytes; size >= 512;) {
      const isWritten = await file.write(Buffer.alloc(size)).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      );
      if (!isWritten) size >>= 1;
    }
  } finally {
    await file.close();
  }
  return path;
}
