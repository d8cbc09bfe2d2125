import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from './turbo.mjs';
import { fromRoot, importFrom } from './workspace.mjs';

const port = Number(process.env.PORT || 3000);
const apiFolder = fromRoot('apps/api');
const restartMs = 30_000;

/**
 * Serves the admin with Vite's hot reload on PORT, and the API behind it. Rolldown rebuilds the API after each change, and
 * Node restarts it. Meanwhile PostgreSQL continues, and requests wait. If a build fails, the running API continues. Ctrl-C
 * stops all of them.
 */
export async function dev() {
  await build('@petstore/embedded-postgres');
  try {
    await serve(await findFreePort());
  } catch (error) {
    console.error(error.message);
    // Vite and the watcher would continue.
    process.exit(1);
  }
}

async function serve(apiPort) {
  const vite = await listen(apiPort);
  const watcher = await watchBuild();
  const postgres = await openPostgres();
  const variables = { HOST: '127.0.0.1', PORT: String(apiPort), PUBLIC_BASE_URL: `http://localhost:${port}/v1` };
  const options = ['--watch', '--watch-preserve-output', '--enable-source-maps', '--no-warnings'];
  const api = spawn(process.execPath, [...options, `${apiFolder}/dist/main.js`], {
    cwd: fromRoot(),
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  });
  const stop = () => {
    api.kill('SIGTERM');
    // Vite exits at a SIGTERM: the API, which ends later, stops PostgreSQL.
    void postgres?.close();
  };
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, stop);
  await once(api, 'exit');
  await Promise.all([vite.close(), watcher.close()]);
  process.exit();
}

async function listen(apiPort) {
  const { createServer: createViteServer } = await importFrom('apps/admin', 'vite');
  process.env.API_URL = `http://127.0.0.1:${apiPort}`;
  const server = { port, strictPort: true };
  const plugins = [waitForApi(apiPort)];
  const vite = await createViteServer({ root: fromRoot('apps/admin'), clearScreen: false, server, plugins });
  return vite.listen();
}

/** Keeps the embedded PostgreSQL running while the API restarts. */
async function openPostgres() {
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) return undefined;
  const { attachEmbeddedPostgres } = await importFrom('apps/api', '@petstore/embedded-postgres');
  return attachEmbeddedPostgres({ dataDir: process.env.DATA_DIR || fromRoot('data'), log: console.error });
}

/** A plugin of Vite: its proxy would respond 502 while the API restarts. */
function waitForApi(apiPort) {
  const wait = async (_request, _response, next) => {
    for (const begin = Date.now(); Date.now() - begin < restartMs; await sleep(50)) {
      const socket = connect(apiPort, '127.0.0.1');
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isOpen) break;
    }
    next();
  };
  const configureServer = ({ config, middlewares }) => {
    for (const path of Object.keys(config.server.proxy)) middlewares.use(path, wait);
  };
  return { name: 'wait-for-api', configureServer };
}

/** Resolves after the first build. */
async function watchBuild() {
  const { watch: watchSources } = await importFrom('apps/api', 'rolldown');
  const { loadConfig } = await importFrom('apps/api', 'rolldown/config');
  const watcher = watchSources({ ...(await loadConfig(`${apiFolder}/rolldown.config.ts`)), cwd: apiFolder });
  const built = new Promise((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(`The build of the API failed:\n${event.error.message}`);
      if (event.code === 'BUNDLE_END') resolve();
      void event.result?.close();
    });
  });
  await built;
  return watcher;
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: freePort } = server.address();
  server.close();
  return freePort;
}
