import { existsSync } from 'node:fs';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { runRounds } from './cluster/faults.js';
import { reportFromSandbox, runInSandbox, sandboxDirectory } from './cluster/sandbox.js';
import { drill, requireRootAnd } from './drill.js';

/** As deploy/cluster/patroni.yml names it. */
const postgres = '/usr/lib/postgresql/15/bin/postgres';

/** Starts itself again in a sandbox, and takes over its counts. */
drill(
  'deploy/cluster: the primary or a service is killed, frozen or cut off',
  { timeout: 1_200_000 },
  async ({ cleanup, isQuick, tally, skip }) => {
    if (sandboxDirectory !== undefined) {
      await runRounds(sandboxDirectory, isQuick ? 1 : 2, tally);
      return reportFromSandbox(tally);
    }
    requireRootAnd(skip, ['ip', 'patroni', 'etcd', 'haproxy']);
    if (!existsSync(postgres)) skip('PostgreSQL 15 is not installed; on Debian 12: apt-get install postgresql-15');
    Object.assign(tally, await runInSandbox(await temporaryDirectory(cleanup), { cleanup, skip }));
  },
);
