import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fromRoot, importFrom } from './workspace.mjs';

const port = Number(process.env.PORT || 3000);
const apiFolder = fromRoot('apps/api');

/**
 * Serves the admin with Vite's hot reload on PORT, and the API behind it. Rolldown rebuilds the API after each change, and
 * Node restarts it. If a build fails, the running API continues. Ctrl-C stops all of them.
 */
export async function dev() {
  const apiPort = await findFreePort();
  const watcher = await watchBuild();
  const variables = { HOST: '127.0.0.1', PORT: String(apiPort), PUBLIC_BASE_URL: `http://localhost:${port}/v1` };
  const options = ['--watch', '--watch-preserve-output', '--enable-source-maps', '--no-warnings'];
  const api = spawn(process.execPath, [...options, `${apiFolder}/dist/main.js`], {
    cwd: fromRoot(),
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => api.kill('SIGTERM'));
  const { createServer: createViteServer } = await importFrom('apps/admin', 'vite');
  process.env.API_URL = `http://127.0.0.1:${apiPort}`;
  const server = { port, strictPort: true };
  const vite = await createViteServer({ root: fromRoot('apps/admin'), clearScreen: false, server });
  await vite.listen();
  await once(api, 'exit');
  await Promise.all([vite.close(), watcher.close()]);
  process.exit();
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
