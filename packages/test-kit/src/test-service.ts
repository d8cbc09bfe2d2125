import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedPostgresUrl } from '@petstore/embedded-postgres';
import type { TestProject } from 'vitest/node';
import { Cleanup } from './cleanup.js';
import { postmasterPid, stopPostmaster } from './postmaster.js';
import {
  freePort,
  isolatedEnvironment,
  isReady,
  manage,
  Program,
  type ProgramOptions,
  requireCurrentBuild,
  serviceDirectory,
} from './program.js';

/** A key with all scopes. Every service starts with it. */
export const apiKey = 'a-key-for-the-tests-of-the-service';

type Variables = Record<string, string>;

interface LaunchOptions extends ProgramOptions {
  /** Default: this Node, with the main.js of the built service. */
  command?: readonly string[];
}

/** The built service: a process that can be killed and started again at the same address. */
export class TestService {
  /** All its output. */
  output = '';
  readonly port: number;
  readonly dataDir: string;
  #program: Program | undefined;

  /** The variables are its environment. They include PORT and DATA_DIR, which all starts share. */
  constructor(readonly variables: Variables) {
    this.port = Number(variables['PORT']);
    this.dataDir = variables['DATA_DIR'] ?? '';
  }

  /** Claims a port and, unless DATA_DIR is given, a temporary data directory. Does not start it. */
  static async prepare(variables: Variables = {}): Promise<TestService> {
    await requireCurrentBuild();
    const DATA_DIR = variables['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'petstore-service-')));
    const defaults = { NODE_ENV: 'production', LOG_LEVEL: 'warn', BOOTSTRAP_API_KEY: apiKey };
    return new TestService({ ...defaults, ...variables, PORT: String(await freePort()), DATA_DIR });
  }

  /** Prepares it and waits until it is ready. The cleanup removes it. */
  static async start(cleanup: Cleanup, variables?: Variables, options?: LaunchOptions): Promise<TestService> {
    const service = await cleanup.own(
      () => TestService.prepare(variables),
      (prepared) => prepared.remove(),
    );
    await service.start(options);
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#program?.hasEnded ?? true;
  }

  /** Sets variables for the next start. */
  with(variables: Variables): this {
    Object.assign(this.variables, variables);
    return this;
  }

  /** Starts it, waits up to 60 s until it is ready, and returns the milliseconds that took. */
  async start(options?: LaunchOptions): Promise<number> {
    const begin = performance.now();
    await this.launch(options).ready(`${this.url}/readyz`);
    return performance.now() - begin;
  }

  /** Starts it without waiting. */
  launch({ command = [process.execPath, `${serviceDirectory}main.js`], ...options }: LaunchOptions = {}): Program {
    const onOutput = (text: string) => (this.output += text);
    const env = isolatedEnvironment(this.variables);
    return (this.#program = new Program(command, { env, onOutput, ...options }));
  }

  /** Sends a signal and waits for the exit. Returns the exit code, or `null` if a signal ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    return (await this.#program?.end(signal)) ?? null;
  }

  /** Stops the service, the embedded PostgreSQL if a killed service left it running, and deletes the data directory. */
  async remove(): Promise<void> {
    await this.#program?.stop();
    const pid = await this.postmasterPid();
    if (pid !== undefined) await stopPostmaster(pid);
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
  }

  isReady(): Promise<boolean> {
    return isReady(`${this.url}/readyz`);
  }

  /** The pid of the embedded PostgreSQL. `undefined` if it does not run. */
  postmasterPid(): Promise<number | undefined> {
    return postmasterPid(join(this.dataDir, 'postgres'));
  }

  /** The URL of the embedded database. */
  databaseUrl(): Promise<string> {
    return embeddedPostgresUrl(this.dataDir);
  }

  /** Creates another key, and waits up to 5 s until the service accepts it. */
  async createKey(scopes = 'read,write'): Promise<string> {
    const args = ['keys', 'create', '--json', '--name', 'another', '--scopes', scopes];
    const { key } = JSON.parse(await manage(args, this.variables)) as { key: string };
    for (let tries = 0; tries < 100; tries += 1) {
      const headers = { authorization: `Bearer ${key}` };
      if ((await this.fetch('/v1/pets?limit=1', { headers })).status !== 401) return key;
      await sleep(50);
    }
    throw new Error('The service did not accept a new key.');
  }

  /** Sends one request with the key, without retries. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${apiKey}`, ...(init.headers as Variables) };
    return fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(20_000), ...init, headers });
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the built service, without a trailing slash. */
    serviceUrl: string;
    apiKey: string;
  }
}

/** Starts one built service for all tests; each test uses its own category of animals. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  const service = await TestService.start(cleanup).catch(async (error: unknown) => {
    await cleanup.run();
    throw error;
  });
  project.provide('serviceUrl', service.url);
  project.provide('apiKey', apiKey);
  return () => cleanup.run();
}
