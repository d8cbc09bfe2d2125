import { execute } from './step.mjs';
import { shippedPackages } from './workspace.mjs';

/** Licenses that allow use, change and distribution, also in a closed product (https://spdx.org/licenses). */
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

/** Returns the packages of pnpm's list whose license is not allowed: each as `name@versions: license`. */
function rejected(licenses) {
  return Object.entries(licenses)
    .filter(([license]) => !isAllowed(license))
    .flatMap(([license, packages]) =>
      packages.map(({ name, versions }) => `${name}@${versions.join(', ')}: ${license}`),
    );
}

/** `A OR B` needs one allowed license, `A AND B` needs both. A person has to read a combination of OR and AND. */
function isAllowed(expression) {
  const plain = expression.replaceAll(/[()]/g, '');
  if (plain.includes(' OR ') && plain.includes(' AND ')) return false;
  return plain.split(' OR ').some((alternative) => alternative.split(' AND ').every((license) => allowed.has(license)));
}

const filters = shippedPackages.map((name) => `--filter=${name}`);
const { code, output } = await execute('pnpm', [...filters, 'licenses', 'list', '--prod', '--json']);
if (code !== 0) throw new Error(output);
const licenses = JSON.parse(output);
const faults = rejected(licenses);
const counts = Object.entries(licenses).map(([license, packages]) => `${license} ${packages.length}`);
console.log(`Run-time dependencies by license: ${counts.join(', ')}`);
for (const fault of faults) console.log(`Not allowed: ${fault}. Allowed: ${[...allowed].join(', ')}`);
if (counts.length === 0 || faults.length > 0) process.exitCode = 1;
