import { Injectable } from '@nestjs/common';
import { type Category, maxUnnamedCategories } from '@petstore/contracts';
import { retryRead } from '../../platform/database/database-error.js';
import { SlowReads } from '../../platform/database/slow-reads.js';

type StatusCounts = Pick<Category, 'available' | 'pending' | 'sold'>;

/** The number of animals of a category, by status. */
export type CategoryCounts = StatusCounts & Pick<Category, 'id'>;

export interface Counts {
  /** Of the store. */
  total: StatusCounts;
  categories: CategoryCounts[];
}

/**
 * The counts of the store, with NULL for the id, then those of its categories by number of animals. Values: the named
 * categories, and the maximum number of others.
 */
const statement = `
  WITH category AS (
    SELECT category_id AS id, count(*) AS animals,
      count(*) FILTER (WHERE status = 'available') AS available,
      count(*) FILTER (WHERE status = 'pending') AS pending,
      count(*) FILTER (WHERE status = 'sold') AS sold
    FROM pet GROUP BY category_id
  ), listed AS (
    SELECT NULL AS id, coalesce(sum(animals), 0) AS animals, coalesce(sum(available), 0) AS available,
      coalesce(sum(pending), 0) AS pending, coalesce(sum(sold), 0) AS sold
    FROM category
    UNION ALL
    SELECT * FROM category
    WHERE id = ANY ($1) OR id IN (SELECT id FROM category WHERE id <> ALL ($1) ORDER BY animals DESC, id LIMIT $2)
  )
  SELECT id, available, pending, sold FROM listed ORDER BY id IS NULL DESC, animals DESC, id`;

type CountRow = [id: string | null, available: string, pending: string, sold: string];

@Injectable()
export class CategoriesRepository {
  constructor(private readonly reads: SlowReads) {}

  /** The counts of these categories and of the others, by number of animals. A category without animals has none. */
  async count(named: readonly bigint[]): Promise<Counts> {
    const rows = await retryRead(() => this.reads.run<CountRow>(statement, [named, maxUnnamedCategories]));
    const [total, ...categories] = rows.map((row): CategoryCounts => {
      const [id, available, pending, sold] = row.map((value) => BigInt(value ?? 0)) as [bigint, bigint, bigint, bigint];
      return { id, available, pending, sold };
    });
    return { total: total as StatusCounts, categories };
  }
}
