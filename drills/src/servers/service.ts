import { PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { isReady } from '@petstore/processes/server-process.js';
import { apiKey, chooseSettings, type ServiceOptions, ServiceProcess } from '@petstore/processes/service-process.js';

/** A service process that is removed at the end of a drill, with a client for it. */
export class Service extends ServiceProcess {
  /** Does not start it yet. Without DATABASE_URL and DATA_DIR it uses a temporary data directory. */
  static prepare(cleanup: Cleanup, options?: ServiceOptions): Promise<Service> {
    return cleanup.own(
      async () => new Service(await chooseSettings(options)),
      (service) => service.remove(),
    );
  }

  static async start(cleanup: Cleanup, options?: ServiceOptions): Promise<Service> {
    const service = await Service.prepare(cleanup, options);
    await service.start();
    return service;
  }

  /** Whether `/readyz` returns 200. */
  isReady(): Promise<boolean> {
    return isReady(`${this.url}/readyz`);
  }

  client(options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
    return new PetstoreClient({ baseUrl: `${this.url}/v1`, apiKey, ...options });
  }
}
