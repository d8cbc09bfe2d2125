import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fromRoot, importFrom } from './workspace.mjs';

const folder = fromRoot('apps/api');
const { watch } = await importFrom('apps/api', 'rolldown');
const { loadConfig } = await importFrom('apps/api', 'rolldown/config');

/**
 * Builds and starts the API. Rebuilds and restarts it after each change of its sources. If a build fails, the running API
 * continues. Resolves when a signal has stopped the API.
 */
export async function serveApi(variables) {
  const config = await loadConfig(`${folder}/rolldown.config.ts`);
  const service = new RestartingProcess(variables);
  const watcher = watch({ ...config, cwd: folder });
  watcher.on('event', (event) => {
    if (event.code === 'ERROR') console.error(`The build of the API failed:\n${event.error.message}`);
    if (event.code === 'BUNDLE_END') service.restart();
    void event.result?.close();
  });
  await service.stopped;
  await watcher.close();
}

class RestartingProcess {
  #child;
  #restarting = Promise.resolve();
  #isStopping = false;
  stopped;

  constructor(variables) {
    this.variables = variables;
    this.stopped = new Promise((resolve) => {
      for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
        process.once(signal, () => {
          this.#isStopping = true;
          resolve(this.#restarting.then(() => this.#stop()));
        });
      }
    });
  }

  restart() {
    this.#restarting = this.#restarting.then(async () => {
      await this.#stop();
      if (this.#isStopping) return;
      const options = { cwd: fromRoot(), env: { ...process.env, ...this.variables }, stdio: 'inherit' };
      this.#child = spawn(process.execPath, ['--enable-source-maps', `${folder}/dist/main.js`], options);
    });
  }

  async #stop() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
