import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { fromRoot } from './workspace.mjs';

const port = process.env.PORT || '3000';
const apiFolder = fromRoot('apps/api');

/** Longer than the API takes to complete its requests and to stop PostgreSQL. */
const stopMs = 15_000;

/**
 * Serves the admin with Vite on PORT, and the API behind Vite's proxy. After a change, Rolldown builds the API and
 * `node --watch` restarts it. If a build fails, the running API continues. Ctrl-C stops all of them.
 */
export async function dev() {
  const stop = new Promise((resolve) => {
    // Ctrl-C reaches this process twice: from its process group and from npm.
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, resolve);
  });
  const apiPort = await findFreePort();
  const admin = startAdmin(apiPort);
  const adminEnded = once(admin, 'exit');
  let api;
  await watchBuild(() => (api ??= startApi(apiPort)));
  await Promise.race([stop, adminEnded]);
  const exitCode = admin.exitCode ?? 0;
  if (exitCode !== 0) console.error(`Vite has ended. If another program uses port ${port}, set PORT.`);
  await Promise.all([admin, api].map(end));
  // The watcher of Rolldown would continue.
  process.exit(exitCode);
}

function startAdmin(apiPort) {
  const folder = fromRoot('apps/admin');
  const options = ['--port', port, '--strictPort', '--clearScreen', 'false'];
  return start(`${folder}/node_modules/.bin/vite`, options, folder, { API_URL: `http://127.0.0.1:${apiPort}` });
}

function startApi(apiPort) {
  const options = ['--watch', '--watch-preserve-output', '--enable-source-maps', '--no-warnings'];
  const variables = { HOST: '127.0.0.1', PORT: String(apiPort), PUBLIC_BASE_URL: `http://localhost:${port}/v1` };
  return start(process.execPath, [...options, `${apiFolder}/dist/main.js`], fromRoot(), variables);
}

/** Starts a program in a separate process group. Ctrl-C does not reach it: only `end` stops it. */
function start(program, args, cwd, variables) {
  return spawn(program, args, { cwd, env: { ...process.env, ...variables }, stdio: 'inherit', detached: true });
}

/** Stops a program and what it started. `node --watch` can miss a signal while it restarts. */
async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), stopMs);
  await ended;
  clearTimeout(timer);
}

/** Builds the API now and after each change. */
async function watchBuild(onBuilt) {
  const [{ watch }, { loadConfig }] = await Promise.all(['rolldown', 'rolldown/config'].map(importOfApi));
  const config = await loadConfig(`${apiFolder}/rolldown.config.ts`);
  // `node --watch` would lose a file that is removed.
  const watcher = watch({ ...config, cwd: apiFolder, output: { ...config.output, cleanDir: false } });
  watcher.on('event', (event) => {
    if (event.code === 'ERROR') console.error(`The build of the API failed:\n${event.error.message}`);
    if (event.code === 'BUNDLE_END') onBuilt();
    void event.result?.close();
  });
}

/** Imports a dependency of the API. */
function importOfApi(name) {
  return import(pathToFileURL(createRequire(`${apiFolder}/package.json`).resolve(name)).href);
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: freePort } = server.address();
  server.close();
  return freePort;
}
