import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPet, Pet } from '@petstore/contracts';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { bootstrapKey, output, ServiceProcess } from '../../apps/api/test/support/service-process.js';
import { launchBrowser, openPage, storeHost, type WatchedPage } from './page.js';

export const key = bootstrapKey;

/** The built service on a database of its own, and a browser that sees it as a tablet in the store does. */
export class Store {
  private constructor(
    readonly service: ServiceProcess,
    readonly browser: Browser,
  ) {}

  static async open(variables: Record<string, string> = {}): Promise<Store> {
    const service = (await ServiceProcess.prepare()).with(variables);
    try {
      await service.start();
      return new Store(service, await launchBrowser());
    } catch (error) {
      await service.remove();
      throw error;
    }
  }

  url(path: string): string {
    return `http://${storeHost}:${this.service.port}${path}`;
  }

  async add(animal: NewPet): Promise<Pet> {
    const { status, json } = await this.service.api.post('/v1/pets', animal);
    if (status !== 201) throw new Error(`not added: ${status} ${JSON.stringify(json)}`);
    return json as Pet;
  }

  /** How many animals there are. */
  async count(): Promise<number> {
    const { headers } = await this.service.api.get('/v1/pets?limit=1', { prefer: 'count=exact' });
    return Number(headers.get('x-total-count'));
  }

  /** The animal that was added last. */
  async newest(): Promise<Pet> {
    const { json } = await this.service.api.get('/v1/pets?order=desc&limit=1');
    const [pet] = json as Pet[];
    if (!pet) throw new Error('there is no animal');
    return pet;
  }

  /** A further API key, once the service takes it. */
  async newKey(): Promise<string> {
    const args = ['create', '--name', 'another', '--scopes', 'read,write', '--json'];
    const { key: made } = JSON.parse((await output('keys.js', args, this.service.environment)).stdout) as {
      key: string;
    };
    const headers = { authorization: `Bearer ${made}` };
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await this.service.api.send('GET', '/v1/pets?limit=1', { headers })).status === 200) return made;
      await sleep(100);
    }
    throw new Error('the service does not take a key that was made');
  }

  /** A page of the admin, signed in by a link that carries the key. */
  async visit(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(this.browser, options);
    await watched.page.goto(this.url(`${path}#key=${key}`));
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    return watched;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.remove();
  }
}
