import { spawnSync } from 'node:child_process';
import { fromRoot, shippedPackages } from './workspace.mjs';

/** Prints the CycloneDX bill of materials of what the service, the admin and the client need at run time. */
export function sbom() {
  const filters = shippedPackages.map((name) => `--filter=${name}`);
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--prod', '--lockfile-only'];
  const { status } = spawnSync('pnpm', [...filters, 'sbom', ...options], { cwd: fromRoot(), stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
