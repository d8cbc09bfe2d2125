import { Injectable } from '@nestjs/common';
import { type PetFilter, type PetStatus } from '@petstore/contracts';
import { type BatchOptions, Batches } from '../../platform/batches.js';
import { isStatementError } from '../../platform/database/database-error.js';
import { databaseTimeoutMs } from '../../platform/time-limit.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { encodeCursor, type Walk } from './pet-cursor.js';
import {
  isSearch,
  type ListStatement,
  listStatementOf,
  type PageQuery,
  type PageResult,
  PetListRepository,
} from './pet-list.repository.js';
import { type CreatedPet, type PetInsert, type PetQuery, PetsRepository } from './pets.repository.js';

export interface ListResult {
  /** The pets as a JSON array. */
  json: string;
  /** The cursor of the next page, if there is one. */
  next: string | undefined;
}

/** Two, so that PostgreSQL works on one batch while this process handles the results of the other. */
const options = { concurrency: 2, maxSize: 32, timeoutMs: databaseTimeoutMs, hadNoEffect: isStatementError };

/** Coalesces concurrent requests for pets into one statement each (docs/design.md), and measures the batches. */
@Injectable()
export class PetBatches {
  private readonly pages: Record<ListStatement, Batches<PageQuery, ListResult>>;
  private readonly searches: Batches<PageQuery, ListResult>;
  private readonly gets: Batches<PetQuery, string | undefined>;
  private readonly counts: Batches<PetStatus | undefined, number>;
  private readonly searchCounts: Batches<PetFilter, number | undefined>;
  private readonly creates: Batches<PetInsert, CreatedPet | undefined>;

  constructor(
    pets: PetsRepository,
    lists: PetListRepository,
    private readonly metrics: Metrics,
  ) {
    const pages = (statement: ListStatement) =>
      this.batches<PageQuery, ListResult>('list', {
        run: async (queries) => {
          const found = await lists.list(statement, queries);
          return found.map((page, index) => toListResult(queries[index] as PageQuery, page));
        },
        keyOf,
      });
    this.pages = {
      listAsc: pages('listAsc'),
      listAscByStatus: pages('listAscByStatus'),
      listDesc: pages('listDesc'),
      listDescByStatus: pages('listDescByStatus'),
    };
    this.searches = this.one('search', async (query) => toListResult(query, await lists.search(query)));
    this.gets = this.batches<PetQuery, string | undefined>('get', { run: (queries) => pets.get(queries), keyOf });
    this.counts = this.batches<PetStatus | undefined, number>('count', {
      run: async (statuses) => totalsOf(statuses, await lists.countByStatus()),
      keyOf,
    });
    this.searchCounts = this.one('count search', (filter) => lists.count(filter));
    this.creates = this.batches<PetInsert, CreatedPet | undefined>('create', {
      run: (inserts) => pets.create(inserts),
    });
  }

  private batches<Item, Result>(
    statement: string,
    specific: Pick<BatchOptions<Item, Result>, 'run'> & Partial<BatchOptions<Item, Result>>,
  ): Batches<Item, Result> {
    const onStart = (size: number) => this.metrics.batchSize.observe({ statement }, size);
    const batches = new Batches<Item, Result>({ ...options, ...specific, onStart });
    this.metrics.watchQueue(statement, () => batches.queueLength);
    return batches;
  }

  /**
   * Limits how many run at once, and for how long, like batches: a search takes longer than the other statements. Those of one
   * API key take turns with those of the others, and leave them one that can start at once.
   */
  private one<Item, Result>(statement: string, run: (item: Item) => Promise<Result>): Batches<Item, Result> {
    const totalConcurrency = options.concurrency + 1;
    return this.batches<Item, Result>(statement, {
      maxSize: 1,
      totalConcurrency,
      run: async ([item]) => [await run(item as Item)],
    });
  }

  list(query: PageQuery, apiKeyId: number): Promise<ListResult> {
    if (isSearch(query.filter)) return this.searches.submit(query, apiKeyId);
    return this.pages[listStatementOf(query)].submit(query);
  }

  get(query: PetQuery): Promise<string | undefined> {
    return this.gets.submit(query);
  }

  /** The number of pets that match a filter; `undefined` if words match more than 10,000. */
  count(filter: PetFilter, apiKeyId: number): Promise<number | undefined> {
    return isSearch(filter) ? this.searchCounts.submit(filter, apiKeyId) : this.counts.submit(filter.status);
  }

  create(insert: PetInsert): Promise<CreatedPet | undefined> {
    return this.creates.submit(insert);
  }
}

/** Requests with equal keys share a result. Every member of a query is part of its key. */
function keyOf(query: unknown): string {
  return JSON.stringify([query], (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function toListResult(walk: Walk, { json, lastId }: PageResult): ListResult {
  if (lastId === undefined) return { json, next: undefined };
  return { json, next: encodeCursor(walk, walk.order === 'asc' ? lastId + 1n : lastId - 1n) };
}

function totalsOf(statuses: readonly (PetStatus | undefined)[], counts: ReadonlyMap<string, number>): number[] {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return statuses.map((status) => (status === undefined ? all : (counts.get(status) ?? 0)));
}
