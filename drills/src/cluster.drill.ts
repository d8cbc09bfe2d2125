import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { installPackages } from './cluster/debian-packages.js';
import { runInSandbox } from './cluster/sandbox.js';
import { drill } from './drill.js';

drill(
  'deploy/cluster: the primary or a service is killed, frozen or cut off (installs packages of Debian)',
  { timeout: 1_200_000 },
  async ({ cleanup, tally, skip }) => {
    await installPackages({ cleanup, skip });
    tally.add(await runInSandbox(await temporaryDirectory(cleanup), { cleanup, skip }));
  },
);
