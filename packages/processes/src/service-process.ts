import type { SpawnOptions } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postmasterPid, stopPostmaster } from './postmaster.js';
import { manage, serviceDirectory } from './program.js';
import { freePort, ServerProcess } from './server-process.js';

/** A key with all scopes. Every service process starts with it. */
export const apiKey = 'a-key-for-the-tests-of-the-service';

/** How a service process starts. */
export interface ServiceOptions {
  /** The program. Default: the main.js of the built service. */
  entry?: string;
  /** Variables of the service, in addition to DATA_DIR, PORT, LOG_LEVEL=warn and BOOTSTRAP_API_KEY. */
  variables?: Record<string, string>;
  /** Receives everything that the service writes. */
  onOutput?: (text: string) => void;
}

/** The same, with the address and the data that all starts of the process share. */
export interface ServiceSettings extends ServiceOptions {
  port: number;
  dataDir: string;
}

/** Chooses a free port and, unless DATA_DIR is given, a temporary data directory. */
export async function chooseSettings(options: ServiceOptions = {}): Promise<ServiceSettings> {
  const dataDir = options.variables?.['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'petstore-service-')));
  return { ...options, port: await freePort(), dataDir };
}

/** How Node runs the service. */
interface RunOptions extends SpawnOptions {
  /** The path of another Node executable. */
  node?: string;
}

/** The built service: a process that can be killed and started again at the same address. */
export class ServiceProcess {
  /** All its output. */
  output = '';
  /** Its environment. */
  readonly variables: Record<string, string>;
  #process: ServerProcess | undefined;

  constructor(private readonly settings: ServiceSettings) {
    const { port, dataDir, variables } = settings;
    const defaults = { PORT: String(port), LOG_LEVEL: 'warn', BOOTSTRAP_API_KEY: apiKey };
    this.variables = { ...defaults, ...variables, DATA_DIR: dataDir };
  }

  get port(): number {
    return this.settings.port;
  }

  get dataDir(): string {
    return this.settings.dataDir;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#process?.hasEnded ?? true;
  }

  /** Sets variables for the next start. */
  with(variables: Record<string, string>): this {
    Object.assign(this.variables, variables);
    return this;
  }

  /** Starts it, waits up to 60 s until it is ready, and returns the milliseconds that took. */
  async start(spawnOptions?: RunOptions): Promise<number> {
    const begin = performance.now();
    await (await this.launch(spawnOptions)).ready('/readyz');
    return performance.now() - begin;
  }

  /** Starts it without waiting. */
  async launch({ node = process.execPath, ...options }: RunOptions = {}): Promise<ServerProcess> {
    const { variables, port } = this;
    const onOutput = (text: string) => {
      this.output += text;
      this.settings.onOutput?.(text);
    };
    const { entry = `${serviceDirectory}main.js` } = this.settings;
    return (this.#process = new ServerProcess({ command: [node, entry], variables, port, onOutput, ...options }));
  }

  /** Sends a signal and waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    return (await this.#process?.end(signal)) ?? null;
  }

  /** The pid of the embedded PostgreSQL. `undefined` if it does not run. */
  postmasterPid(): Promise<number | undefined> {
    return postmasterPid(join(this.dataDir, 'postgres'));
  }

  /** Stops the service, the embedded PostgreSQL if a killed service left it running, and deletes the data directory. */
  async remove(): Promise<void> {
    await this.#process?.stop();
    const pid = await this.postmasterPid();
    if (pid !== undefined) await stopPostmaster(pid);
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Creates another key, and waits up to 5 s until the service accepts it. */
  async createKey(scopes = 'read,write'): Promise<{ id: number; key: string }> {
    const args = ['keys', 'create', '--json', '--name', 'another', '--scopes', scopes];
    const created = JSON.parse(await manage(args, this.variables)) as { id: number; key: string };
    const headers = { authorization: `Bearer ${created.key}` };
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await this.fetch('/v1/pets?limit=1', { headers })).status === 200) return created;
      await sleep(50);
    }
    throw new Error('The service did not accept a new key.');
  }

  /** Sends one request with the key, without retries. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${apiKey}`, ...(init.headers as Record<string, string>) };
    return fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(20_000), ...init, headers });
  }
}
