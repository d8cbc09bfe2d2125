import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postmasterPid, stopPostmaster } from './postmaster.js';
import { serviceDirectory } from './program.js';
import { freePort, type RunOptions, ServerProcess } from './server-process.js';

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
    await (await this.launch(spawnOptions)).ready('/readyz', {});
    return performance.now() - begin;
  }

  /** Starts it without waiting. */
  async launch(spawnOptions: RunOptions = {}): Promise<ServerProcess> {
    const { variables, port } = this;
    const onOutput = (text: string) => {
      this.output += text;
      this.settings.onOutput?.(text);
    };
    const { entry = `${serviceDirectory}main.js` } = this.settings;
    return (this.#process = await ServerProcess.start({ entry, variables, port, onOutput, spawnOptions }));
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

  /** Sends one request with the key, without retries. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${apiKey}`, ...(init.headers as Record<string, string>) };
    return fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(20_000), ...init, headers });
  }
}
