import { execute } from './step.mjs';
import { shippedPackages } from './workspace.mjs';

/** Permissive licenses (https://spdx.org/licenses): a store may change the code and keep its changes private. */
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

/** Returns the packages of pnpm's list that have no allowed license, each as `name@versions: license`. */
export function findForbidden(licenses) {
  return Object.entries(licenses)
    .filter(([license]) => !isAllowed(license))
    .flatMap(([license, packages]) =>
      packages.map(({ name, versions }) => `${name}@${versions.join(', ')}: ${license}`),
    );
}

/** With OR, one allowed license is enough. With AND, all must be allowed. An expression with both needs a review. */
function isAllowed(expression) {
  const plain = expression.replaceAll(/[()]/g, '');
  if (plain.includes(' OR ') && plain.includes(' AND ')) return false;
  return plain.split(' OR ').some((alternative) => alternative.split(' AND ').every((license) => allowed.has(license)));
}

async function check() {
  const filters = shippedPackages.map((name) => `--filter=${name}`);
  const { code, output } = await execute('pnpm', [...filters, 'licenses', 'list', '--prod', '--json']);
  if (code !== 0) throw new Error(output);
  const licenses = JSON.parse(output);
  const forbidden = findForbidden(licenses);
  const counts = Object.entries(licenses).map(([license, packages]) => `${license} ${packages.length}`);
  console.log(`Run-time dependencies by license: ${counts.join(', ')}`);
  for (const entry of forbidden) console.log(`Not allowed: ${entry}. Allowed: ${[...allowed].join(', ')}.`);
  if (counts.length === 0 || forbidden.length > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await check();
