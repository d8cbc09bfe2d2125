import { execute } from './step.mjs';
import { findTurbo, quietly } from './turbo.mjs';
import { fromRoot } from './workspace.mjs';

const node = process.execPath;
const tool = (name) => fromRoot('node_modules/.bin', name);
const turbo = (task) => [findTurbo(), 'run', task, '--continue=dependencies-successful', ...quietly];

/** Runs all checks, two at a time; each has a line, and says why when it fails. */
export async function check() {
  const failed = [
    // The checks of generated files run what is built.
    ...(await runAll([['build', turbo('build')]])),
    ...(await runAll([
      ['types', turbo('typecheck')],
      ['import rules', [node, 'scripts/import-rules/check.mjs']],
      ['lint', [tool('oxlint'), '--deny-warnings']],
      ['unused code', [tool('knip'), '--treat-config-hints-as-errors']],
      ['openapi.json', [node, 'scripts/openapi.mjs']],
      ['licences', [node, 'scripts/licences.mjs']],
      ['size of the admin', [node, 'scripts/admin-size.mjs']],
      ['migrations', [node, 'apps/api/dist/migration.js', 'check']],
      ['format', [tool('oxfmt'), '--check']],
    ])),
  ];
  console.log(failed.length > 0 ? `Not in order: ${failed.join(', ')}` : 'All in order');
  process.exitCode = failed.length > 0 ? 1 : 0;
}

/** The names of the checks that failed. */
async function runAll(checks) {
  const waiting = [...checks];
  const failed = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await passes(next))) failed.push(next[0]);
  };
  await Promise.all([work(), work()]);
  return failed;
}

async function passes([name, [program, ...args]]) {
  const { code, output, seconds } = await execute(program, args);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
  if (code !== 0) console.log(`\n${output.trim()}\n`);
  return code === 0;
}
