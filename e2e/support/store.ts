import { writeFile } from 'node:fs/promises';
import { type NewPet, type Pet, PetstoreClient } from '@petstore/client';
import { Cleanup } from '@petstore/test-kit/cleanup.js';
import { createDatabase, execute } from '@petstore/test-kit/database.js';
import { apiKey, TestService } from '@petstore/test-kit/test-service.js';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject, vi } from 'vitest';
import { launchBrowser, storeHost } from './browser.js';
import { openPage } from './page.js';

export const key = apiKey;

/** The browser of this worker, which all its test files share. It ends with the worker. */
let sharedBrowser: Promise<Browser> | undefined;

/** The store of the test file. */
let opened: Store | undefined;

/** The store of the test file, if it has opened one. */
export function openedStore(): Store | undefined {
  return opened;
}

/** Closes the store of the test file, if it has opened one. */
export async function closeStore(): Promise<void> {
  await opened?.close();
  opened = undefined;
}

/** The built service, and a browser that opens it like a tablet in the store. */
export class Store {
  private readonly client: PetstoreClient;

  private constructor(
    readonly service: TestService,
    readonly browser: Browser,
    private readonly cleanup: Cleanup,
  ) {
    this.client = new PetstoreClient({ baseUrl: `${service.url}/v1`, apiKey });
  }

  /**
   * Opens the store that the test files of this worker share, without animals and with one key. Its CATEGORIES_FILE has
   * these rows, such as "7,Rabbits".
   */
  static async open(...categories: string[]): Promise<Store> {
    const variables = inject('services')[Number(process.env['VITEST_POOL_ID']) - 1];
    if (!variables) throw new Error('There are more workers than services.');
    const store = await Store.connect(new TestService(variables), new Cleanup());
    await store.sql('TRUNCATE pet, idempotency_record RESTART IDENTITY');
    await store.sql("DELETE FROM api_key WHERE name <> 'bootstrap'");
    await store.nameCategories(categories);
    return store;
  }

  /** Starts a store with its own service and database. */
  static async start(variables: Record<string, string> = {}): Promise<Store> {
    const cleanup = new Cleanup();
    try {
      const database = await cleanup.own(
        () => createDatabase(inject('databaseServerUrl')),
        (created) => created.drop(),
      );
      const service = await TestService.start(cleanup, { ...variables, DATABASE_URL: database.url });
      return await Store.connect(service, cleanup);
    } catch (error) {
      await cleanup.run();
      throw error;
    }
  }

  private static async connect(service: TestService, cleanup: Cleanup): Promise<Store> {
    sharedBrowser ??= launchBrowser();
    const browser = await sharedBrowser;
    const earlier = new Set(browser.contexts());
    const ownContexts = () => browser.contexts().filter((context) => !earlier.has(context));
    await cleanup.own(
      () => Promise.resolve(),
      () => Promise.all(ownContexts().map((context) => context.close())),
    );
    return (opened = new Store(service, browser, cleanup));
  }

  /** The service reads its file again within a second. */
  private async nameCategories(rows: readonly string[]): Promise<void> {
    const names = rows.map((row) => row.slice(row.indexOf(',') + 1));
    await writeFile(this.service.variables['CATEGORIES_FILE'] ?? '', rows.join('\n'));
    const isRead = async () => {
      const categories = (await (await this.service.fetch('/categories.json')).json()) as { name: string | null }[];
      expect(categories.flatMap(({ name }) => name ?? [])).toEqual(names);
    };
    await vi.waitFor(isRead, { timeout: 30_000 });
  }

  url(path: string): string {
    return `http://${storeHost}:${this.service.port}${path}`;
  }

  get databaseUrl(): string {
    return this.service.variables['DATABASE_URL'] ?? '';
  }

  add(animal: NewPet): Promise<Pet> {
    return this.client.createPet(animal);
  }

  /** Adds "Animal 1", "Animal 2" … */
  async addNumbered(count: number, animalOf: (number: number) => Partial<NewPet>): Promise<void> {
    for (let number = 1; number <= count; number += 1)
      await this.add({ name: `Animal ${number}`, categoryId: 7n, ...animalOf(number) });
  }

  /** Returns the number of animals. */
  async count(): Promise<number> {
    return (await this.client.listPets({ limit: 1, count: true }).page()).total ?? 0;
  }

  /** Runs a statement in the database of the service. */
  sql<Row extends Record<string, unknown>>(statement: string): Promise<Row[]> {
    return execute(this.databaseUrl, statement);
  }

  /** Returns the names of the animals of a category, sorted. */
  async names(categoryId: bigint): Promise<string[]> {
    const rows = await this.sql<{ name: string }>(`SELECT name FROM pet WHERE category_id = ${categoryId}`);
    return rows.map(({ name }) => name).toSorted();
  }

  /** Returns the newest animal. */
  async newest(): Promise<Pet> {
    const [pet] = (await this.client.listPets({ order: 'desc', limit: 1 }).page()).pets;
    if (!pet) throw new Error('The store has no animals.');
    return pet;
  }

  /** Creates another API key and waits until the service accepts it. */
  newKey(scopes?: string): Promise<string> {
    return this.service.createKey(scopes);
  }

  /** Opens a page of the admin with a sign-in link. */
  async visit(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page }> {
    const { page } = await openPage(this.browser, options);
    await page.goto(this.url(`${path}#key=${key}`));
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page };
  }

  close(): Promise<void> {
    return this.cleanup.run();
  }
}
