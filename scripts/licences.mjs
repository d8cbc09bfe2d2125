import { execute } from './step.mjs';
import { shippedPackages } from './workspace.mjs';

/** Licences that let anyone use, change and pass on, also in a store's own closed version (https://spdx.org/licenses). */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** The packages of pnpm's list whose licence is not one of these: each as `name@versions: licence`. */
export function refused(licences) {
  return Object.entries(licences)
    .filter(([licence]) => !isAllowed(licence))
    .flatMap(([licence, packages]) =>
      packages.map(({ name, versions }) => `${name}@${versions.join(', ')}: ${licence}`),
    );
}

/** Of alternatives, one is enough; of licences that go together, each counts. Somebody has to read a mixture of both. */
function isAllowed(expression) {
  const plain = expression.replaceAll(/[()]/g, '');
  if (plain.includes(' OR ') && plain.includes(' AND ')) return false;
  return plain.split(' OR ').some((alternative) => alternative.split(' AND ').every((licence) => allowed.has(licence)));
}

async function check() {
  const filters = shippedPackages.map((name) => `--filter=${name}`);
  const { code, output } = await execute('pnpm', [...filters, 'licenses', 'list', '--prod', '--json']);
  if (code !== 0) throw new Error(output);
  const licences = JSON.parse(output);
  const faults = refused(licences);
  const counts = Object.entries(licences).map(([licence, packages]) => `${licence} ${packages.length}`);
  console.log(`Run-time dependencies by licence: ${counts.join(', ')}`);
  for (const fault of faults) console.log(`REFUSED: ${fault}; allowed are ${[...allowed].join(', ')}`);
  if (counts.length === 0 || faults.length > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await check();
