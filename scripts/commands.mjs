import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';
import { StepFailed } from './step.mjs';
import { stopWithParent } from './stop-with-parent.mjs';
import { build } from './turbo.mjs';
import { fromRoot } from './workspace.mjs';

const openApiFile = fromRoot('apps/api/openapi.json');

/** Those without `takesArguments` refuse them: passed over in silence, they would be taken for obeyed. */
const commands = {
  start: { about: 'serve the API and its docs', run: () => api('main') },
  test: { about: 'run every test', run: async () => (await import('./test.mjs')).test() },
  check: {
    about: 'judge format, code, types, imports and generated files',
    run: async () => (await import('./check.mjs')).check(),
  },
  build: { about: 'build what has changed', run: () => build() },
  dev: { about: 'serve; build and restart after each change', run: async () => (await import('./dev.mjs')).dev() },
  keys: { about: 'create, list and revoke API keys', takesArguments: true, run: (args) => api('keys', args) },
  'database:url': { about: 'print the URL of the database', run: () => api('database-url') },
  'migration:new': {
    about: 'write the migration for a change of schema.prisma',
    takesArguments: true,
    run: (args) => api('migration', ['new', ...args]),
  },
  'migration:check': {
    about: 'compare the migrations with schema.prisma',
    takesArguments: true,
    run: (args) => api('migration', ['check', ...args]),
  },
  'migration:apply': {
    about: 'bring the database to the schema of this version, as the start does',
    takesArguments: true,
    run: (args) => api('migration', ['apply', ...args]),
  },
  recount: {
    about: 'count the animals, and correct the totals that lists give',
    run: () => api('recount'),
  },
  bench: { about: 'measure the service beside its peers', takesArguments: true, run: bench },
  drill: { about: 'show what the service does when things go wrong', takesArguments: true, run: drill },
  'measure:admin': {
    about: 'measure the web UI: Lighthouse, and how quick it answers',
    takesArguments: true,
    run: measureAdmin,
  },
  openapi: { about: 'write apps/api/openapi.json', run: () => api('openapi', [openApiFile]) },
};

/** Does what a command says, after installing what is missing. */
export async function run(name, args) {
  if (!Object.hasOwn(commands, name ?? '')) return explainCommands(name);
  process.chdir(fromRoot());
  prepareEnvironment();
  stopWithParent();
  const command = commands[name];
  try {
    if (args.length > 0 && !command.takesArguments) {
      throw new StepFailed(
        `npm run ${name} takes no arguments; settings are environment variables (docs/operating.md).`,
      );
    }
    await install();
    await command.run(args);
  } catch (error) {
    const isExpected = error instanceof StepFailed;
    if (!isExpected && name !== 'test') throw error;
    process.stderr.write(`\n${isExpected ? error.message.trim() : error.stack}\n`);
    // Whatever went wrong, the last line of the tests is their sum.
    if (name === 'test') console.log('0 passed, 1 failed');
    process.exitCode = 1;
  }
}

/** Runs an entry of the service in this process, as if it had been started by itself: signals and exit code are its own. */
async function api(entry, args = []) {
  await build('@petstore/api', ...(entry === 'main' ? ['@petstore/admin'] : []));
  await runHere(fromRoot('apps/api/dist', `${entry}.js`), args);
}

async function bench(args) {
  await build('@petstore/bench');
  await runHere(fromRoot('bench/dist/main.js'), args);
}

async function drill(args) {
  await build('@petstore/drills');
  await runHere(fromRoot('drills/dist/main.js'), args);
}

async function measureAdmin(args) {
  await build('@petstore/admin', '@petstore/api');
  const vitest = fromRoot('e2e/node_modules/.bin/vitest');
  const options = { cwd: fromRoot('e2e'), stdio: 'inherit' };
  process.exitCode = spawnSync(vitest, ['run', '--config', 'measure.config.ts', ...args], options).status ?? 1;
}

async function runHere(file, args) {
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

/** npm hands its own settings to scripts (log level, folders): they are not meant for pnpm, but the way to the registry is. */
function prepareEnvironment() {
  const ofNpm = /^npm_(?!config_(registry|https?_proxy|proxy|noproxy|cafile|strict_ssl|userconfig|cache)$)/;
  for (const name of Object.keys(process.env)) if (ofNpm.test(name)) delete process.env[name];
  if (!process.stdout.isTTY && !process.env.FORCE_COLOR) process.env.NO_COLOR = '1';
  Object.assign(process.env, { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TESTED_WITH_NODE: process.version });
}

function explainCommands(name) {
  const lines = Object.entries(commands).map(([command, { about }]) => `  npm run ${command.padEnd(17)}${about}`);
  process.stderr.write(`${name ? `There is no command "${name}". ` : ''}The commands are:\n${lines.join('\n')}\n`);
  process.exitCode = name ? 1 : 0;
}
