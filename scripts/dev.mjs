import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromRoot, importFrom } from './workspace.mjs';

const port = Number(process.env.PORT || 3000);
const apiFolder = fromRoot('apps/api');
const restartMs = 60_000;

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
  const vite = await serveAdmin(apiPort);
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

async function serveAdmin(apiPort) {
  const { createLogger, createServer: createViteServer } = await importFrom('apps/admin', 'vite');
  process.env.API_URL = `http://127.0.0.1:${apiPort}`;
  const vite = await createViteServer({
    root: fromRoot('apps/admin'),
    clearScreen: false,
    customLogger: shortenProxyErrors(createLogger()),
    plugins: [holdRequests(apiPort)],
    server: { port, strictPort: true },
  });
  return vite.listen();
}

/** A logger of Vite that prints one line, without a stack, for a request that a restart of the API interrupts. */
export function shortenProxyErrors(logger) {
  const { error: print } = logger;
  logger.error = (message, options) => {
    const [line, ...stack] = message.split('\n');
    const isProxyError = line.includes('proxy error') && stack.length > 0;
    print(isProxyError ? `${line} (${options?.error?.message})` : message, options);
  };
  return logger;
}

/** A plugin of Vite: requests to the API wait while it restarts. */
function holdRequests(apiPort) {
  return {
    name: 'hold-requests',
    configureServer({ config, middlewares }) {
      const paths = Object.keys(config.server.proxy);
      middlewares.use(async (request, _response, next) => {
        if (paths.some((path) => request.url.startsWith(path))) await untilListening(apiPort);
        next();
      });
    },
  };
}

async function untilListening(apiPort) {
  for (const begin = Date.now(); Date.now() - begin < restartMs; await sleep(50)) {
    const socket = connect(apiPort, '127.0.0.1');
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isConnected) return;
  }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: freePort } = server.address();
  server.close();
  return freePort;
}
