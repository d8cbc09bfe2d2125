import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { fromRoot } from './workspace.mjs';

const port = process.env.PORT || '3000';
const apiFolder = fromRoot('apps/api');

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
  if (admin.exitCode) console.error(`Vite has ended. If another program uses port ${port}, set PORT.`);
  await Promise.all([admin, api].map(end));
  // The watcher of Rolldown would continue.
  process.exit(admin.exitCode ?? 0);
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

function start(program, args, cwd, variables) {
  return spawn(program, args, { cwd, env: { ...process.env, ...variables }, stdio: 'inherit' });
}

async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Builds the API now and after each change. */
async function watchBuild(onBuilt) {
  const [{ watch }, { loadConfig }] = await Promise.all(['rolldown', 'rolldown/config'].map(importOfApi));
  const watcher = watch({ ...(await loadConfig(`${apiFolder}/rolldown.config.ts`)), cwd: apiFolder });
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
