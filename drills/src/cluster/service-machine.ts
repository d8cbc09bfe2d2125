import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceDirectory } from '@petstore/processes/program.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { Machine } from './machine.js';

const startMs = 60_000;

/** A machine that runs the built service, with the database behind the proxy. */
export class ServiceMachine {
  private constructor(
    private readonly machine: Machine,
    private readonly directory: string,
  ) {}

  static async create(name: string, address: string, directory: string): Promise<ServiceMachine> {
    return new ServiceMachine(await Machine.create(name, address), directory);
  }

  get name(): string {
    return this.machine.name;
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const child = this.machine.start({
      command: [process.execPath, `${serviceDirectory}main.js`],
      variables: {
        HOST: '0.0.0.0',
        DATABASE_URL: 'postgresql://petstore:change-this@proxy:5432/petstore',
        BOOTSTRAP_API_KEY: apiKey,
        TRUST_PROXY: '1',
        LOG_LEVEL: 'warn',
        NODE_ENV: 'production',
      },
      log: join(this.directory, `${this.name}.log`),
    });
    for (const begin = Date.now(); !(await this.#isReady()); await sleep(100)) {
      if (child.exitCode !== null || Date.now() - begin > startMs) throw new Error(`${this.name} did not start.`);
    }
  }

  crash(): Promise<void> {
    return this.machine.crash();
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`http://${this.name}:3000/readyz`).catch(() => undefined);
    await response?.text();
    return response?.ok === true;
  }
}
