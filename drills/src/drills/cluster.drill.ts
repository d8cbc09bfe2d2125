import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { installPackages } from '../cluster/debian-packages.js';
import { runInSandbox } from '../cluster/sandbox.js';
import type { Drill, DrillContext } from '../drill.js';
import type { Tally, TallyReport } from '../tally.js';

const program = fileURLToPath(new URL('../cluster/cluster-program.js', import.meta.url));

export const cluster: Drill = {
  name: 'cluster',
  about: 'deploy/cluster: the primary or a service is killed, frozen or cut off (installs packages of Debian)',
  limitSeconds: 1200,
  async run({ cleanup, isQuick }: DrillContext, tally: Tally): Promise<void> {
    await installPackages(cleanup);
    const directory = await temporaryDirectory(cleanup);
    tally.add(await runInSandbox<TallyReport>(cleanup, program, [directory, isQuick ? '1' : '2']));
  },
};
