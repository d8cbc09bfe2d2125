import { Injectable } from '@nestjs/common';
import { type Category, maxUnnamedCategories } from '@petstore/contracts';
import { retryRead } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';

type StatusCounts = Pick<Category, 'available' | 'pending' | 'sold'>;

/** The number of animals of a category, by status. */
export type CategoryCounts = StatusCounts & Pick<Category, 'id'>;

export interface Counts {
  /** Of the store. */
  total: StatusCounts;
  categories: CategoryCounts[];
}

const noAnimals: StatusCounts = { available: 0n, pending: 0n, sold: 0n };

@Injectable()
export class CategoriesRepository {
  constructor(private readonly prisma: PrismaService) {}

  /** The counts of these categories and of the others, by number of animals. A category without animals has none. */
  async count(named: readonly bigint[]): Promise<Counts> {
    const [total, ...categories] = await retryRead(
      () => this.prisma.$queryRaw<CategoryCounts[]>`
        WITH category AS (
          SELECT category_id AS id, count(*) AS animals,
            count(*) FILTER (WHERE status = 'available') AS available,
            count(*) FILTER (WHERE status = 'pending') AS pending,
            count(*) FILTER (WHERE status = 'sold') AS sold
          FROM pet GROUP BY category_id
        )
        SELECT NULL AS id, sum(animals)::bigint AS animals, sum(available)::bigint AS available,
          sum(pending)::bigint AS pending, sum(sold)::bigint AS sold
        FROM category HAVING count(*) > 0
        UNION ALL
        SELECT id, animals, available, pending, sold FROM category
        WHERE id = ANY(${named}) OR id IN (
          SELECT id FROM category WHERE id <> ALL(${named}) ORDER BY animals DESC, id LIMIT ${maxUnnamedCategories}
        )
        ORDER BY animals DESC, id NULLS FIRST`,
    );
    return { total: total ?? noAnimals, categories };
  }
}
