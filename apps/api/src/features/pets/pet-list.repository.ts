import { Injectable } from '@nestjs/common';
import {
  int64,
  type ListOrder,
  maxSearchTotal,
  minPartLength,
  parseInt64,
  type PetFilter,
  searchWords,
} from '@petstore/contracts';
import { retryRead } from '../../platform/database/database-error.js';
import { Prisma } from '../../platform/database/generated/client.js';
import { DatabasePool } from '../../platform/database/pool.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { petJson } from './pets.repository.js';

export interface PageQuery {
  order: ListOrder;
  filter: PetFilter;
  /** The page starts with this id or the next one in its order; `undefined` is the first page. */
  firstId: bigint | undefined;
  size: number;
}

export interface PageResult {
  /** The pets as a JSON array. */
  json: string;
  /** The id of the last pet, if more pets follow. */
  lastId: bigint | undefined;
}

/*
 * A statement takes arrays with one element per request, and returns one row per request in the same order.
 *
 * The lists return the id of the last pet of a page if more pets follow, and the JSON array. After an empty page,
 * PostgreSQL 15 would scan the whole range to look for the next pet: `last_id` is NULL then.
 */
const listAsc = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY AS request(first_id, size, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      ${petJson}, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE id >= request.first_id
      ORDER BY id LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND id > page.last_id
    ORDER BY id LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

const listDesc = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY AS request(first_id, size, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      ${petJson}, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE id <= request.first_id
      ORDER BY id DESC LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND id < page.last_id
    ORDER BY id DESC LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

/**
 * One status is a range of the index (status, id). With `status =`, PostgreSQL may scan the primary key instead and skip
 * every pet that has another status.
 */
const listAscByStatus = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(first_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      ${petJson}, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE (status, id) >= (request.status, request.first_id) AND status <= request.status
      ORDER BY status, id LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND (status, id) > (request.status, page.last_id) AND status <= request.status
    ORDER BY status, id LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

const listDescByStatus = `
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(first_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      ${petJson}, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE (status, id) <= (request.status, request.first_id) AND status >= request.status
      ORDER BY status DESC, id DESC LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND (status, id) < (request.status, page.last_id) AND status >= request.status
    ORDER BY status DESC, id DESC LIMIT 1
  ) AS next ON true
  ORDER BY request.position`;

/** Each is prepared once per connection, under its name. A test checks that they cover every column. */
export const listStatements = { listAsc, listDesc, listAscByStatus, listDescByStatus };

export type ListStatement = keyof typeof listStatements;

/** The statement that serves a page, unless it needs `search`. */
export function listStatementOf({ order, filter: { status } }: PageQuery): ListStatement {
  return `list${order === 'asc' ? 'Asc' : 'Desc'}${status === undefined ? '' : 'ByStatus'}`;
}

function firstIdOrBound({ order, firstId }: PageQuery): bigint {
  return firstId ?? (order === 'asc' ? int64.min : int64.max);
}

/** Whether a list has more filters than its status. */
export function isSearch({ status: _status, ...others }: PetFilter): boolean {
  return Object.values(others).some((value) => value !== undefined);
}

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
  return Prisma.join(parts, ' AND ');
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
 * and counts, use Prisma.
 */
@Injectable()
export class PetListRepository {
  constructor(
    private readonly pool: DatabasePool,
    private readonly prisma: PrismaService,
  ) {}

  /** All queries are those of one statement. */
  async list(statement: ListStatement, queries: readonly PageQuery[]): Promise<PageResult[]> {
    const values: unknown[][] = [queries.map(firstIdOrBound), queries.map(({ size }) => size)];
    if (statement.endsWith('ByStatus')) values.push(queries.map(({ filter }) => filter.status));
    const rows = await retryRead(() => this.run(statement, values));
    return rows.map(([lastId, json]) => ({ json: json ?? '[]', lastId: lastId === null ? undefined : BigInt(lastId) }));
  }

  private async run(name: ListStatement, values: unknown[][]): Promise<[string | null, string | null][]> {
    const text = listStatements[name];
    const { rows } = await this.pool.query<[string | null, string | null]>({ name, text, values, rowMode: 'array' });
    return rows;
  }

  /** A page of a list whose filter `isSearch`. */
  async search({ filter, order, firstId, size }: PageQuery): Promise<PageResult> {
    const [start, direction] =
      order === 'asc'
        ? [Prisma.sql`id >= ${firstId ?? int64.min}`, Prisma.sql`ASC`]
        : [Prisma.sql`id <= ${firstId ?? int64.max}`, Prisma.sql`DESC`];
    const end = Prisma.sql`ORDER BY id ${direction} LIMIT ${size + 1}`;
    const statement = Prisma.sql`
      SELECT id, ${Prisma.raw(petJson)} AS json
      FROM ${matchingPets(filter, Prisma.sql`${conditionOf(filter)} AND ${start} ${end}`)} ${end}`;
    const rows = await retryRead(() => this.planned<{ id: bigint; json: string }>(statement));
    const page = rows.slice(0, size);
    return {
      json: `[${page.map(({ json }) => json).join(',')}]`,
      lastId: rows.length > size ? page.at(-1)?.id : undefined,
    };
  }

  /** The number of pets that match a filter which `isSearch`; `undefined` if words match more than 10,000. */
  async count(filter: PetFilter): Promise<number | undefined> {
    const limit = filter.q === undefined ? null : maxSearchTotal + 1;
    const statement = Prisma.sql`
      SELECT count(*) AS total FROM (SELECT FROM pet WHERE ${conditionOf(filter)} LIMIT ${limit}::int) AS matching`;
    const [row] = await retryRead(() => this.planned<{ total: bigint }>(statement));
    const total = Number(row?.total);
    return limit !== null && total === limit ? undefined : total;
  }

  /** The number of pets of each status that has any. As text: `groupBy` fails when a newer version has added a status. */
  async countByStatus(): Promise<ReadonlyMap<string, number>> {
    const rows = await retryRead(
      () => this.prisma.$queryRaw<{ status: string; pets: bigint }[]>`
        SELECT status::text, count(*) AS pets FROM pet GROUP BY status`,
    );
    return new Map(rows.map(({ status, pets }) => [status, Number(pets)]));
  }

  /** Plans a statement for its values: how common a word is decides which index finds a page quickly. */
  private async planned<Row>(statement: Prisma.Sql): Promise<Row[]> {
    const [, rows] = await this.prisma.$transaction([
      this.prisma.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`,
      this.prisma.$queryRaw<Row[]>(statement),
    ]);
    return rows;
  }
}
