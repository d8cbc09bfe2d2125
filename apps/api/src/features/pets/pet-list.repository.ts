import { Injectable } from '@nestjs/common';
import {
  type ListOrder,
  maxTotalOf,
  minPartLength,
  parseInt64,
  type PetFilter,
  searchWords,
  stringifyJson,
} from '@petstore/contracts';
import { Batches, Turns } from '../../platform/batches.js';
import { retryRead } from '../../platform/database/database-error.js';
import { Prisma } from '../../platform/database/generated/client.js';
import { DatabasePool } from '../../platform/database/pool.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { petJson } from './pets.repository.js';

export interface PageQuery {
  filter: PetFilter;
  order: ListOrder;
  /** The page starts with this id, or the next one in its order. */
  startId: bigint;
  /** The maximum number of pets. */
  size: number;
}

export interface Page {
  /** The pets as a JSON array. */
  json: string;
  /** The `startId` of the next page, if more pets follow. */
  nextStartId: bigint | undefined;
}

/** A part of the list, in an order. Each is a range of an index. */
interface ListRange {
  order: string;
  /** Begins with the `startId` of a request. */
  fromStart: string;
  /** Follows the last pet of a page. */
  afterLast: string;
  lastId: string;
  nextStartId: string;
}

/**
 * Returns a page for each element of the arrays, in their order: the `startId` of the next page if more pets follow, and the JSON
 * array. After an empty page, PostgreSQL 15 would scan the whole range to look for the next pet: `last_id` is NULL then.
 */
function listStatement({ order, fromStart, afterLast, lastId, nextStartId }: ListRange): string {
  return `
  SELECT CASE WHEN next.id IS NOT NULL THEN ${nextStartId} END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(start_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT ${lastId} AS last_id, '[' || string_agg(
      ${petJson}, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE ${fromStart}
      ORDER BY ${order} LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND ${afterLast}
    ORDER BY ${order} LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;
}

const ascending = { lastId: 'max(id)', nextStartId: 'page.last_id + 1' };
const descending = { lastId: 'min(id)', nextStartId: 'page.last_id - 1' };

const listAsc = listStatement({
  ...ascending,
  order: 'id',
  fromStart: 'id >= request.start_id',
  afterLast: 'id > page.last_id',
});
const listDesc = listStatement({
  ...descending,
  order: 'id DESC',
  fromStart: 'id <= request.start_id',
  afterLast: 'id < page.last_id',
});

/**
 * One status is a range of the index (status, id). With `status =`, PostgreSQL may scan the primary key instead and skip
 * every pet that has another status.
 */
const listAscByStatus = listStatement({
  ...ascending,
  order: 'status, id',
  fromStart: '(status, id) >= (request.status, request.start_id) AND status <= request.status',
  afterLast: '(status, id) > (request.status, page.last_id) AND status <= request.status',
});
const listDescByStatus = listStatement({
  ...descending,
  order: 'status DESC, id DESC',
  fromStart: '(status, id) <= (request.status, request.start_id) AND status >= request.status',
  afterLast: '(status, id) < (request.status, page.last_id) AND status >= request.status',
});

/** Each is prepared once per connection, under its name. A test prints them, and checks that they cover every column. */
export const listStatements = { listAsc, listDesc, listAscByStatus, listDescByStatus };

type ListStatement = keyof typeof listStatements;

// A new filter does not compile until it is here.
const conditions: { [Name in keyof PetFilter]-?: (value: NonNullable<PetFilter[Name]>) => Prisma.Sql } = {
  status: (status) => Prisma.sql`status = ${status}::"PetStatus"`,
  categoryId: (ids) => Prisma.sql`category_id IN (${Prisma.join([...ids])})`,
  q: searchCondition,
};

/** A number also finds the animal with this id. */
function searchCondition(q: string): Prisma.Sql {
  const words = Prisma.join(searchWords(q).map(wordCondition), ' AND ');
  const number = parseInt64(q.trim());
  return number === undefined || number < 0n ? words : Prisma.sql`(${words} OR id = ${number})`;
}

/** A short word must begin a word of the name: more names contain it than the index could find quickly. */
function wordCondition(word: string): Prisma.Sql {
  const pattern = word.replaceAll(/[\\%_]/g, String.raw`\$&`);
  if (Array.from(word).length >= minPartLength) return Prisma.sql`search_name LIKE ${`%${pattern}%`}`;
  return Prisma.sql`(search_name LIKE ${`${pattern}%`} OR search_name LIKE ${`% ${pattern}%`})`;
}

function conditionOf(filter: PetFilter): Prisma.Sql {
  const present = Object.entries(filter).filter(([, value]) => value !== undefined);
  const parts = present.map(([name, value]) =>
    (conditions[name as keyof PetFilter] as (value: unknown) => Prisma.Sql)(value),
  );
  return parts.length === 0 ? Prisma.sql`true` : Prisma.join(parts, ' AND ');
}

/**
 * The pets that match. A list of categories reads a range of the index for each category and status: PostgreSQL might walk
 * the primary key instead, past nearly all pets if a category is new or old.
 */
function matchingPets({ categoryId, q }: PetFilter, matching: Prisma.Sql): Prisma.Sql {
  if (categoryId === undefined || q !== undefined) return Prisma.sql`(SELECT * FROM pet WHERE ${matching}) AS pet`;
  return Prisma.sql`
    unnest(${[...categoryId]}::bigint[]) AS range_category
    CROSS JOIN unnest(enum_range(NULL::"PetStatus")) AS range_status
    CROSS JOIN LATERAL (
      SELECT * FROM pet WHERE category_id = range_category AND status = range_status AND ${matching}
    ) AS pet`;
}

/**
 * Lists by status are literal SQL on the pool, because they must be fast (docs/design.md). Lists with words or categories,
 * and counts, use Prisma, and those of one API key wait behind each other.
 */
@Injectable()
export class PetListRepository {
  private readonly lists: Record<ListStatement, Batches<PageQuery, Page>>;
  private readonly searches: Turns<PageQuery, Page>;
  private readonly counts: Turns<PetFilter, number | undefined>;

  constructor(
    private readonly pool: DatabasePool,
    private readonly prisma: PrismaService,
    metrics: Metrics,
  ) {
    const listsOf = (name: ListStatement) =>
      new Batches<PageQuery, Page>(metrics, 'list', { run: (queries) => this.listBatch(name, queries), keyOf });
    this.lists = {
      listAsc: listsOf('listAsc'),
      listDesc: listsOf('listDesc'),
      listAscByStatus: listsOf('listAscByStatus'),
      listDescByStatus: listsOf('listDescByStatus'),
    };
    this.searches = new Turns(metrics, 'search', { run: (query) => this.search(query) });
    this.counts = new Turns(metrics, 'count', {
      run: (filter) => this.countMatches(filter),
      keyOf: (filter) => stringifyJson(filter),
    });
  }

  list(query: PageQuery, apiKeyId: number): Promise<Page> {
    const { status, ...others } = query.filter;
    if (Object.values(others).some((value) => value !== undefined)) return this.searches.run(query, apiKeyId);
    return this.lists[`list${query.order === 'asc' ? 'Asc' : 'Desc'}${status ? 'ByStatus' : ''}`].submit(query);
  }

  /** The number of pets that match a filter; `undefined` if they are too many (`maxTotalOf`). */
  count(filter: PetFilter, apiKeyId: number): Promise<number | undefined> {
    return this.counts.run(filter, apiKeyId);
  }

  private async listBatch(name: ListStatement, queries: readonly PageQuery[]): Promise<Page[]> {
    const values = [
      queries.map(({ startId }) => startId),
      queries.map(({ size }) => size),
      queries.map(({ filter }) => filter.status),
    ];
    const statement = { name, text: listStatements[name], values, rowMode: 'array' as const };
    const { rows } = await retryRead(() => this.pool.query<[string | null, string | null]>(statement));
    return rows.map(([nextStartId, json]) => ({
      json: json ?? '[]',
      nextStartId: nextStartId === null ? undefined : BigInt(nextStartId),
    }));
  }

  private async search({ filter, order, startId, size }: PageQuery): Promise<Page> {
    const [start, direction, step] =
      order === 'asc'
        ? [Prisma.sql`id >= ${startId}`, Prisma.sql`ASC`, 1n]
        : [Prisma.sql`id <= ${startId}`, Prisma.sql`DESC`, -1n];
    const end = Prisma.sql`ORDER BY id ${direction} LIMIT ${size + 1}`;
    const statement = Prisma.sql`
      SELECT id, ${Prisma.raw(petJson)} AS json
      FROM ${matchingPets(filter, Prisma.sql`${conditionOf(filter)} AND ${start} ${end}`)} ${end}`;
    const rows = await retryRead(() => this.queryWithCustomPlan<{ id: bigint; json: string }>(statement));
    const page = rows.slice(0, size);
    const last = rows.length > size ? page.at(-1) : undefined;
    return { json: `[${page.map(({ json }) => json).join(',')}]`, nextStartId: last && last.id + step };
  }

  private async countMatches(filter: PetFilter): Promise<number | undefined> {
    const max = maxTotalOf(filter);
    const statement = Prisma.sql`
      SELECT count(*) AS total FROM (SELECT FROM pet WHERE ${conditionOf(filter)} LIMIT ${max + 1}::int) AS matching`;
    const [row] = await retryRead(() => this.queryWithCustomPlan<{ total: bigint }>(statement));
    const total = Number(row?.total);
    return total > max ? undefined : total;
  }

  /** Plans a statement for its values: how common a word is decides which index finds a page quickly. */
  private async queryWithCustomPlan<Row>(statement: Prisma.Sql): Promise<Row[]> {
    const [, rows] = await this.prisma.$transaction([
      this.prisma.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`,
      this.prisma.$queryRaw<Row[]>(statement),
    ]);
    return rows;
  }
}

/** Equal for queries of one statement that have the same page. */
function keyOf({ startId, size, filter }: PageQuery): string {
  return `${startId} ${size} ${filter.status}`;
}
