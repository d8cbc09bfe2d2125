import { execute } from './step.mjs';
import { build } from './turbo.mjs';
import { fromRoot } from './workspace.mjs';

const node = process.execPath;
const tool = (name) => fromRoot('scripts/node_modules/.bin', name);

const cruise = [tool('depcruise'), '--config', 'scripts/dependency-cruiser.config.mjs'];
/** It breaks a rule. A tool that cannot read the sources would otherwise pass unnoticed. */
const planted = 'scripts/planted-violation.ts';
const codeFolders = ['apps', 'packages', 'scripts', 'e2e', 'bench', 'drills'];

/** Each check: its name, its command and how to fix a failure, where one command does it. */
const checks = [
  { name: 'types', command: [node, 'scripts/typecheck.mjs'] },
  { name: 'import rules', command: [...cruise, '--exclude', `^${planted}$`, ...codeFolders] },
  { name: 'a planted violation of the import rules', command: ['sh', '-c', `! "$@"`, 'sh', ...cruise, planted] },
  { name: 'lint', command: [tool('oxlint'), '--deny-warnings'] },
  { name: 'unused code', command: [tool('knip'), '--treat-config-hints-as-errors'] },
  {
    name: 'openapi.json',
    command: ['sh', '-c', `"${node}" apps/api/dist/manage.js openapi /dev/stdout | cmp - apps/api/openapi.json`],
    fix: 'Run `npm run openapi`.',
  },
  { name: 'rules of openapi.json', command: [node, 'scripts/openapi-lint.mjs'] },
  { name: 'licenses', command: [node, 'scripts/licenses.mjs'] },
  { name: 'client package', command: [tool('publint'), '--strict', '--pack', 'npm', 'packages/client'] },
  {
    name: 'types of the client package',
    command: [tool('attw'), '--config-path', 'packages/client/.attw.json', '--pack', 'packages/client'],
  },
  { name: 'size of the admin', command: [node, 'scripts/admin-size.mjs'] },
  {
    name: 'migrations',
    command: [node, 'apps/api/dist/manage.js', 'migration', 'check'],
    fix: 'Run `npm run migration:new -- NAME`.',
  },
  { name: 'format', command: [tool('oxfmt'), '--check'], fix: 'Run `npm run format`.' },
];

/** Runs all checks, two at a time. Prints a line for each, and the output of those that fail. */
export async function check() {
  // The checks of generated files run the built programs.
  await build();
  const failed = [];
  const waiting = [...checks];
  const runNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await passes(next))) failed.push(next.name);
  };
  await Promise.all([runNext(), runNext()]);
  console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}` : 'All checks passed.');
  process.exitCode = failed.length > 0 ? 1 : 0;
}

async function passes({ name, command: [program, ...args], fix = '' }) {
  const { code, output } = await execute(program, args);
  console.log(code === 0 ? `ok      ${name}` : `FAILED  ${name}\n\n${output.trim()}\n${fix}\n`);
  return code === 0;
}
