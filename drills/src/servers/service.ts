import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { freePort, ServerProcess } from '@petstore/processes/server-process.js';

/** The files of the built service. */
export const serviceFolder = fileURLToPath(new URL('../../../apps/api/dist/', import.meta.url));

/** A key with full rights, which every service here is started with. */
export const apiKey = 'a-key-for-the-drills-of-the-service';

export interface ServiceOptions {
  /** Settings of the service, over those that every drill has. */
  variables?: Record<string, string>;
  /** Gets all that it writes. */
  hear?: (text: string) => void;
}

/** The built service: a process that may be killed and started again at the same address. */
export class Service {
  #process: ServerProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly options: ServiceOptions,
  ) {}

  /** Does not start it yet. With neither DATABASE_URL nor DATA_DIR it gets a folder of its own. */
  static async prepare(cleanup: Cleanup, { variables = {}, hear }: ServiceOptions = {}): Promise<Service> {
    const isPlaced = 'DATABASE_URL' in variables || 'DATA_DIR' in variables;
    const DATA_DIR = isPlaced ? {} : { DATA_DIR: await temporaryFolder(cleanup) };
    const all = { BOOTSTRAP_API_KEY: apiKey, ...DATA_DIR, ...variables };
    const make = async () => new Service(await freePort(), { variables: all, ...(hear && { hear }) });
    return cleanup.own(make, (service) => service.stop());
  }

  static async start(cleanup: Cleanup, options?: ServiceOptions): Promise<Service> {
    const service = await Service.prepare(cleanup, options);
    await service.start();
    return service;
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

  get variables(): Record<string, string> {
    return this.options.variables ?? {};
  }

  /** How many milliseconds it took until it was ready. */
  async start(): Promise<number> {
    const begin = performance.now();
    const { hear } = this.options;
    const entry = `${serviceFolder}main.js`;
    const options = { entry, variables: this.variables, port: this.port, ...(hear && { hear }) };
    this.#process = await ServerProcess.start(options);
    await this.#process.ready('/readyz', {});
    return performance.now() - begin;
  }

  /** Sends a signal; its exit code once it has ended, `null` when the signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    return (await this.#process?.end(signal)) ?? null;
  }

  /** Also the embedded PostgreSQL, where the service was killed and left it behind. */
  async stop(): Promise<void> {
    await this.#process?.stop();
    const postmaster = await this.postmasterPid();
    if (postmaster > 0) await this.start().then(() => this.#process?.stop());
  }

  /** Of the embedded PostgreSQL; 0 when there is none. */
  async postmasterPid(): Promise<number> {
    const { DATA_DIR } = this.variables;
    if (DATA_DIR === undefined) return 0;
    const text = await readFile(join(DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
    return Number.parseInt(text, 10) || 0;
  }

  client(options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
    return new PetstoreClient({ baseUrl: `${this.url}/v1`, apiKey, ...options });
  }

  /** One request with the key, without retries. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${apiKey}`, ...(init.headers as Record<string, string>) };
    return fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(20_000), ...init, headers });
  }
}

/** Removed at the end. */
export function temporaryFolder(cleanup: Cleanup): Promise<string> {
  return cleanup.own(
    () => mkdtemp(join(tmpdir(), 'petstore-drill-')),
    (folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  );
}
