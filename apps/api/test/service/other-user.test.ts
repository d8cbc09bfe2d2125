import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { runProgram, serviceDirectory } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.js';

/** Root may read everything, so its programs run as `nobody`. */
const nobody = 65534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
/** The folder of root, for example, is closed to others. */
const canRun = spawnSync('ls', [serviceDirectory], user).status === 0;

describe.runIf(canRun)(
  'the reason, and the name of the owner, for a user who may not read DATA_DIR, is in the error of',
  () => {
    let service: TestService;
    let reason: string;
    beforeAll(async () => {
      service = await TestService.prepare();
      const cluster = join(service.dataDir, 'postgres');
      await mkdir(cluster);
      await writeFile(join(cluster, 'PG_VERSION'), '18\n');
      await chmod(service.dataDir, user.uid === undefined ? 0 : 0o700);
      reason =
        `Cannot use the data directory ${service.dataDir}: EACCES: permission denied, stat '${cluster}/PG_VERSION'. ` +
        `${service.dataDir} belongs to the user ${userInfo().username}: run this as that user, set DATA_DIR`;
    });
    afterAll(async () => {
      await chmod(service.dataDir, 0o700);
      await service.remove();
    });

    it.each([[['keys', 'list']], [['backup', '/tmp/petstore.backup.gz']], [['database-url']]])('%j', async (args) => {
      const stderr = expect.stringContaining(reason) as string;
      expect(await runProgram('manage.js', args, service.variables, user)).toMatchObject({
        code: 1,
        stdout: '',
        stderr,
      });
    });

    it('the start, also if BACKUP_DIRECTORY has a backup, which it does not ask to restore', async () => {
      const backups = await createFolder();
      await writeFile(join(backups, 'petstore-20260101T000000000Z.backup.gz'), '');
      await chmod(backups, 0o755);
      const variables = { ...service.variables, BACKUP_DIRECTORY: backups, LOG_FORMAT: 'pretty' };
      const stderr = expect.stringContaining(reason) as string;
      expect(await runProgram('main.js', [], variables, user)).toMatchObject({ code: 1, stderr });
    });
  },
);
