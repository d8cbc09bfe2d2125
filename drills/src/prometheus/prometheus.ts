import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { freePort } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { readAndReplace } from '../read-and-replace.js';
import { startProgram } from '../servers/program.js';

export const monitoring = fileURLToPath(new URL('../../../deploy/monitoring', import.meta.url));

interface Answer<Data> {
  status: 'success' | 'error';
  data?: Data;
}

/** Calls the API of Prometheus. */
export type Query = <Data>(path: string) => Promise<Answer<Data>>;

/** Copies the configuration with the port of this service and a shorter interval. Returns the directory. */
export async function configure(cleanup: Cleanup, metricsPort: number): Promise<string> {
  const directory = await temporaryDirectory(cleanup);
  await cp(monitoring, directory, { recursive: true });
  const text = await readAndReplace(join(monitoring, 'prometheus.yml'), {
    '127.0.0.1:9464': `127.0.0.1:${metricsPort}`,
    'scrape_interval: 15s': 'scrape_interval: 500ms\n  evaluation_interval: 1s',
  });
  await writeFile(join(directory, 'prometheus.yml'), text);
  return directory;
}

/** Starts Prometheus with the configuration in a directory. */
export async function startPrometheus(cleanup: Cleanup, directory: string): Promise<Query> {
  const port = await freePort();
  const options = [
    `--config.file=${join(directory, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  await startProgram(cleanup, ['prometheus', ...options], {});
  return async <Data>(path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    return (await response.json()) as Answer<Data>;
  };
}
