import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from './turbo.mjs';
import { fromRoot, importFrom } from './workspace.mjs';

const port = Number(process.env.PORT || 3000);
const apiFolder = fromRoot('apps/api');

/**
 * Serves the admin with Vite's hot reload on PORT, and the API behind it. Rolldown rebuilds the API after each change, then
 * the API restarts. Meanwhile PostgreSQL continues, and requests wait. If a build fails, the running API continues. Ctrl-C
 * stops all of them.
 */
export async function dev() {
  await build('@petstore/embedded-postgres');
  const stop = new Promise((resolve) => {
    // Ctrl-C reaches this process twice: from its process group and from npm.
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, resolve);
  });
  const api = new Api(await findFreePort());
  await serveAdmin(api);
  await watchBuild(api);
  await stop;
  await api.stop();
  // Vite and the watcher would continue.
  process.exit();
}

/** The built API, in a separate process. */
class Api {
  #setReady;
  /** Resolves when the API accepts requests, or has ended. */
  ready = new Promise((resolve) => {
    this.#setReady = resolve;
  });
  #restarts = Promise.resolve();
  #process;
  #postgres;
  #isStopping = false;

  constructor(apiPort) {
    this.port = apiPort;
  }

  restart() {
    this.#restarts = this.#restarts.then(() => this.#restart()).catch(console.error);
    // Requests also wait for the first start.
    this.#setReady(this.#restarts);
    this.ready = this.#restarts;
  }

  async stop() {
    this.#isStopping = true;
    await this.#end();
    await this.#restarts;
    // After the API has ended, so that this stops PostgreSQL.
    await this.#postgres?.close();
  }

  async #restart() {
    await this.#end();
    if (this.#isStopping) return;
    const variables = { HOST: '127.0.0.1', PORT: String(this.port), PUBLIC_BASE_URL: `http://localhost:${port}/v1` };
    this.#process = spawn(process.execPath, ['--enable-source-maps', '--no-warnings', `${apiFolder}/dist/main.js`], {
      cwd: fromRoot(),
      env: { ...process.env, ...variables },
      stdio: 'inherit',
    });
    this.#process.once('exit', (code) => {
      if (code !== 0) console.error('The API has ended. It starts again after the next change.');
    });
    while (isRunning(this.#process)) {
      if (await canConnect(this.port)) return this.#keepPostgres();
      await sleep(50);
    }
  }

  async #end() {
    if (!this.#process || !isRunning(this.#process)) return;
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }

  /** Keeps the embedded PostgreSQL running while the API restarts. The API has validated the settings before. */
  async #keepPostgres() {
    if (this.#postgres || process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) return;
    const { keepEmbeddedPostgres } = await importFrom('apps/api', '@petstore/embedded-postgres');
    const dataDir = process.env.DATA_DIR || fromRoot('data');
    this.#postgres = await keepEmbeddedPostgres({ dataDir, log: console.error });
  }
}

function isRunning({ exitCode, signalCode }) {
  return exitCode === null && signalCode === null;
}

function canConnect(apiPort) {
  return new Promise((resolve) => {
    const socket = connect(apiPort, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

/** The server is not Vite's own, which would exit at a SIGTERM before the API and PostgreSQL have stopped. */
async function serveAdmin(api) {
  const { createServer: createViteServer } = await importFrom('apps/admin', 'vite');
  process.env.API_URL = `http://127.0.0.1:${api.port}`;
  const server = createHttpServer();
  const vite = await createViteServer({
    root: fromRoot('apps/admin'),
    clearScreen: false,
    server: { middlewareMode: true, ws: { server } },
    plugins: [waitForApi(api)],
  });
  server.on('request', vite.middlewares);
  try {
    await once(server.listen(port, 'localhost'), 'listening');
  } catch (error) {
    console.error(`${error.message}. Set PORT to use another port.`);
    process.exit(1);
  }
}

/** A plugin of Vite: its proxy would respond 502 while the API restarts. */
function waitForApi(api) {
  const wait = (_request, _response, next) => void api.ready.then(() => next());
  const configureServer = ({ config, middlewares }) => {
    for (const path of Object.keys(config.server.proxy)) middlewares.use(path, wait);
  };
  return { name: 'wait-for-api', configureServer };
}

async function watchBuild(api) {
  const { watch: watchSources } = await importFrom('apps/api', 'rolldown');
  const { loadConfig } = await importFrom('apps/api', 'rolldown/config');
  const watcher = watchSources({ ...(await loadConfig(`${apiFolder}/rolldown.config.ts`)), cwd: apiFolder });
  watcher.on('event', (event) => {
    if (event.code === 'ERROR') console.error(`The build of the API failed:\n${event.error.message}`);
    if (event.code === 'BUNDLE_END') api.restart();
    void event.result?.close();
  });
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: freePort } = server.address();
  server.close();
  return freePort;
}
