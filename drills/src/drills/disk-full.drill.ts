import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { audit } from '../clients/audit.js';
import { WritingClients } from '../clients/writing-clients.js';
import { type Drill, type Ground, NotPossible } from '../drill.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';

const run = promisify(execFile);
const sizeMegabytes = 400;
const blockBytes = 1 << 20;
const recoveryMs = 30_000;

export const diskFull: Drill = {
  name: 'disk-full',
  about: 'no room left under the embedded database, and room again',
  limitSeconds: 240,
  async run({ cleanup, isQuick }: Ground, tally: Tally): Promise<void> {
    const disk = await smallDisk(cleanup);
    const service = await Service.start(cleanup, { variables: { DATA_DIR: join(disk, 'data') } });
    const clients = new WritingClients({ clientOf: (_, options) => service.client(options), writers: 8, tally });
    const rounds = isQuick ? 1 : 3;
    let slowest = 0;
    for (let round = 0; round < rounds; round += 1) {
      await clients.nextAcknowledged();
      const ballast = await fill(disk);
      await untilRefused(tally);
      await sleep(isQuick ? 500 : 5000);
      await rm(ballast);
      slowest = Math.max(slowest, await clients.nextAcknowledged());
    }
    tally.expect(slowest <= recoveryMs, `it recovered ${seconds(slowest)} after there was room`);
    tally.expect(!service.hasEnded, 'the service ended');
    await audit(service.client(), await clients.finish(), tally);
    tally.note(`${rounds} times full, added again after ${seconds(slowest)} with room`);
  },
};

/**
 * A disk in memory.
 * @throws NotPossible where mounting is not allowed.
 */
async function smallDisk(cleanup: Cleanup): Promise<string> {
  const folder = await temporaryDirectory(cleanup);
  if (process.platform !== 'linux') throw new NotPossible('a small disk is made by tmpfs, which only Linux has');
  const mount = run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMegabytes}m,mode=0777`, 'petstore-drill', folder]);
  const mounted = mount.catch((error: Error) => {
    throw new NotPossible(`this user may not mount a small disk: ${error.message.trim()}`);
  });
  await cleanup.own(
    () => mounted,
    // Also while a file on it is being written.
    () => run('umount', ['--lazy', folder]),
  );
  return folder;
}

/** Writes a file until there is no room at all; where it is. */
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

/** Until a client has been turned away: what is there already may last for a while. */
async function untilRefused(tally: Tally): Promise<void> {
  const before = tally.refused;
  for (let left = 3000; left > 0; left -= 1) {
    if (tally.refused > before) return;
    await sleep(20);
  }
  tally.wrong.push('nobody was turned away from a full disk in a minute');
}
