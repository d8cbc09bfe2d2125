import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { check } from './check.mjs';
import { dev } from './dev.mjs';
import { install } from './install.mjs';
import { createArtifacts, createPackage } from './package.mjs';
import { StepFailed } from './step.mjs';
import { test } from './test.mjs';
import { build } from './turbo.mjs';
import { typecheck } from './typecheck.mjs';
import { fromRoot } from './workspace.mjs';

const openApiFile = fromRoot('apps/api/openapi.json');

/**
 * The commands of `npm run`. One whose function has no parameter rejects arguments: otherwise a user could believe that an
 * ignored argument had an effect. The commands of the service install only what the service needs.
 */
const commands = {
  start: { about: 'serve the admin, the API and its docs', scope: 'serving', run: serve },
  dev: { about: 'serve with hot reload of the admin and restarts of the API', run: dev },
  test: { about: 'run every test', run: test },
  check: { about: 'check format, lint, types, imports, unused code and generated files', run: check },
  build: { about: 'build what has changed', run: () => build() },
  format: { about: 'format every file', run: (args) => runTool('oxfmt', args) },
  lint: { about: 'run the linter', run: (args) => runTool('oxlint', args) },
  typecheck: { about: 'check the types', run: typecheck },
  prisma: { about: 'run the Prisma CLI, such as `npm run prisma -- studio`', run: (args) => runTool('prisma', args) },
  openapi: { about: 'write apps/api/openapi.json', run: () => manage(['openapi', openApiFile]) },
  keys: manageCommand('create, list and revoke API keys', 'keys'),
  petstore: { about: 'run the petstore command: list, create, import and export animals', run: petstore },
  backup: manageCommand('write all data to a file', 'backup'),
  restore: manageCommand('restore a backup into a database without animals', 'restore'),
  'database:url': { about: 'print the URL of the database', scope: 'serving', run: () => manage(['database-url']) },
  'migration:new': manageCommand('write the migration for a change of schema.prisma', 'migration', 'new'),
  'migration:check': manageCommand('compare the migrations with schema.prisma', 'migration', 'check'),
  'migration:apply': manageCommand('apply the migrations to the database, as the start does', 'migration', 'apply'),
  bench: { about: 'measure the service and compare it with others', run: bench },
  drill: { about: 'check what the service guarantees during failures', run: drill },
  'measure:admin': { about: 'measure the admin: Lighthouse and response times', run: measureAdmin },
  package: {
    about: 'copy the built service into a directory, to run it with Node',
    scope: 'serving',
    run: createPackage,
  },
  artifacts: { about: 'build what a release publishes: service, npm packages, SBOM, hashes', run: createArtifacts },
  audit: {
    about: 'compare the dependencies with known vulnerabilities',
    run: (args) => runInherited('pnpm', ['audit', ...args]),
  },
  update: { about: 'update dependencies to releases that are at least three days old', run: update },
};

/** Installs what a command needs, then runs it. */
export async function run(name, args) {
  if (!Object.hasOwn(commands, name ?? '')) return explainCommands(name);
  process.chdir(fromRoot());
  prepareEnvironment();
  const command = commands[name];
  try {
    if (args.length > 0 && command.run.length === 0) {
      throw new StepFailed(`npm run ${name} takes no arguments. For settings, see docs/settings.md.`);
    }
    await install(command.scope);
    await command.run(args);
  } catch (error) {
    const isExpected = error instanceof StepFailed || error.code?.startsWith('ERR_PARSE_ARGS_');
    if (!isExpected && name !== 'test') throw error;
    process.stderr.write(`\n${isExpected ? error.message.trim() : error.stack}\n`);
    // The last line of `npm test` is always the sum of the tests.
    if (name === 'test') console.log('0 passed, 1 failed');
    process.exitCode = 1;
  }
}

/** A command of the service. */
function manageCommand(about, ...command) {
  return { about, scope: 'serving', run: (args) => manage([...command, ...args]) };
}

/** Serves in this process, so that the program handles signals and sets the exit code. */
async function serve() {
  await build('@petstore/api', '@petstore/admin');
  await runHere(fromRoot('apps/api/dist/main.js'), []);
}

/** Runs a command of the service, in this process too. */
async function manage(args) {
  await build('@petstore/api');
  await runHere(fromRoot('apps/api/dist/manage.js'), args);
}

/** Paths in its arguments are relative to the directory in which the user ran npm. */
async function petstore(args) {
  await build('@petstore/cli');
  process.chdir(process.env.INIT_CWD ?? fromRoot());
  await runHere(fromRoot('packages/cli/dist/petstore.js'), args);
}

function runTool(name, args) {
  runInherited(fromRoot('scripts/node_modules/.bin', name), args);
}

async function measureAdmin(args) {
  await build('@petstore/api', '@petstore/admin');
  const options = ['run', '--config', 'measure.config.ts', ...args];
  runInherited(fromRoot('e2e/node_modules/.bin/vitest'), options, fromRoot('e2e'));
}

/** Harmful releases are usually removed within three days. */
function update(args) {
  runInherited('pnpm', ['update', '--config.minimumReleaseAge=4320', '--recursive', ...args]);
}

/** Its input and output are those of this process. */
function runInherited(program, args, cwd = fromRoot()) {
  process.exitCode = spawnSync(program, args, { cwd, stdio: 'inherit' }).status ?? 1;
}

async function bench(args) {
  await build('@petstore/bench');
  await runHere(fromRoot('bench/dist/main.js'), args);
}

/** The drills use the built service, the packages and the petstore command. */
async function drill(args) {
  await build('@petstore/api', '@petstore/admin', '@petstore/drills^...');
  await (await import('./drill.mjs')).drill(args);
}

async function runHere(file, args) {
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

/** npm passes its settings to scripts as variables. Only those of the registry are for pnpm, which has another prefix. */
function prepareEnvironment() {
  const ofRegistry = /^npm_config_(registry|https?_proxy|proxy|noproxy|cafile|strict_ssl|userconfig|cache)$/;
  for (const name of Object.keys(process.env).filter((variable) => variable.startsWith('npm_'))) {
    // npm sets some to an empty text, which would hide NO_PROXY.
    if (!ofRegistry.test(name) || process.env[name] === '') delete process.env[name];
    else process.env[`p${name}`] ??= process.env[name];
  }
  if (!process.stdout.isTTY && !process.env.FORCE_COLOR) process.env.NO_COLOR = '1';
  Object.assign(process.env, {
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    DO_NOT_TRACK: '1',
    TESTED_WITH_NODE: process.version,
    // The linter looks for it only in the root's node_modules.
    OXLINT_TSGOLINT_PATH: fromRoot('scripts/node_modules/.bin/tsgolint'),
  });
}

function explainCommands(name) {
  const lines = Object.entries(commands).map(([command, { about }]) => `  npm run ${command.padEnd(17)}${about}`);
  const text = `${name ? `The command "${name}" does not exist. ` : ''}The commands are:\n${lines.join('\n')}\n`;
  (name ? process.stderr : process.stdout).write(text);
  process.exitCode = name ? 1 : 0;
}
