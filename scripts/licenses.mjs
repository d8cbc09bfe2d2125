import { execute } from './step.mjs';
import { shippedPackages } from './workspace.mjs';

/** Licenses that allow use, change and distribution, also in a closed product (https://spdx.org/licenses). */
const allowed =
  '0BSD, Apache-2.0, BlueOak-1.0.0, BSD-2-Clause, BSD-3-Clause, ISC, MIT, (MIT OR CC0-1.0), Python-2.0, Unlicense';

const { code, output } = await execute('pnpm', [...shippedPackages, 'licenses', 'list', '--prod', '--json']);
if (code !== 0) throw new Error(output);
const licenses = JSON.parse(output);
if (Object.keys(licenses).length === 0) throw new Error('pnpm found no run-time dependency.');
for (const [license, packages] of Object.entries(licenses)) {
  if (allowed.split(', ').includes(license)) continue;
  const names = packages.map(({ name, versions }) => `${name}@${versions.join(', ')}`);
  console.error(`Not allowed: ${license} of ${names.join(', ')}. Allowed: ${allowed}`);
  process.exitCode = 1;
}
