import { existsSync } from 'node:fs';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { runInSandbox } from './cluster/sandbox.js';
import { drill, requireRootAnd } from './drill.js';

/** As deploy/cluster/patroni.yml names it. */
const postgres = '/usr/lib/postgresql/15/bin/postgres';

drill(
  'deploy/cluster: the primary or a service is killed, frozen or cut off',
  { timeout: 1_200_000 },
  async ({ cleanup, tally, skip }) => {
    requireRootAnd(skip, ['ip', 'patroni', 'etcd', 'haproxy']);
    if (!existsSync(postgres)) skip('PostgreSQL 15 is not installed; on Debian 12: apt-get install postgresql-15');
    Object.assign(tally, await runInSandbox(await temporaryDirectory(cleanup), { cleanup, skip }));
  },
);
