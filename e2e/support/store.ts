import type { NewPet, Pet } from '@petstore/contracts';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { bootstrapKey, ServiceProcess } from '../../apps/api/test/support/service-process.js';
import { launchBrowser, openPage, storeHost, type WatchedPage } from './page.js';

export const key = bootstrapKey;

/** The built service on a database of its own, and a browser that sees it as a tablet in the store does. */
export class Store {
  private constructor(
    readonly service: ServiceProcess,
    readonly browser: Browser,
  ) {}

  static async open(): Promise<Store> {
    const service = await ServiceProcess.prepare();
    await service.start();
    return new Store(service, await launchBrowser());
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
