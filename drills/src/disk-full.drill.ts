import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { PetstoreClient } from '@petstore/client';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { expect, type TestContext, vi } from 'vitest';
import { clientOf, drill, figures, isQuick } from './drill.js';
import { WritingClients } from './writing-clients.js';

const run = promisify(execFile);
const recoveryMs = 30_000;

drill(
  'a full disk under the embedded database, then free space again',
  { timeout: 240_000 },
  async ({ annotate, cleanup, skip }) => {
    const disk = await mountSmallDisk(cleanup, skip);
    const service = await TestService.start(cleanup, { DATA_DIR: join(disk, 'data') });
    const postgres = await service.postmasterPid();
    const clients = new WritingClients({ url: service.url, writers: 8 });
    const ballast = join(disk, 'ballast');
    let [slowestMs, reads] = [0, 0];
    for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
      await clients.nextAcknowledged();
      // Fails when the disk is full.
      await expect(run('sh', ['-c', `cat /dev/zero > ${ballast}`])).rejects.toThrow('No space left');
      const { rejected } = clients;
      await vi.waitUntil(() => clients.rejected > rejected, { timeout: 10_000 });
      reads += await readFor(isQuick ? 2000 : 10_000, clientOf(service.url, { retries: 0 }));
      await rm(ballast);
      slowestMs = Math.max(slowestMs, await clients.nextAcknowledged());
    }
    expect(slowestMs).toBeLessThanOrEqual(recoveryMs);
    expect(service.hasEnded).toBe(false);
    expect(await service.postmasterPid()).toBe(postgres);
    await clients.audit(service.url);
    await annotate(figures({ animals: clients.writes.count, reads, 'slowest recovery in ms': slowestMs }));
  },
);

/** Reads pages while the disk is full: each read must succeed. Returns their number. */
async function readFor(ms: number, client: PetstoreClient): Promise<number> {
  let reads = 0;
  for (const end = performance.now() + ms; performance.now() < end; reads += 1) {
    await client.listPets({ limit: 10 }).page();
    await sleep(10);
  }
  return reads;
}

/** Mounts a disk of 400 MB in memory. Skips the drill if mounting is not allowed. */
async function mountSmallDisk(cleanup: Cleanup, skip: TestContext['skip']): Promise<string> {
  const directory = await temporaryDirectory(cleanup);
  const mount = run('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=0777', 'petstore-drill', directory]);
  await cleanup.own(
    () => mount.catch((error: Error) => skip(`cannot mount a small disk: ${error.message.trim()}`)),
    // Lazy, because a file on the disk may still be open.
    () => run('umount', ['--lazy', directory]),
  );
  return directory;
}
