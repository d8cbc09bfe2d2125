import { Injectable } from '@nestjs/common';
import { int64, type ListOrder, type NewPet, type PetStatus } from '@petstore/contracts';
import { PrismaService, type Value } from '../../platform/database/prisma.service.js';
import type { IdempotencyClaim } from './idempotency.js';
import {
  addOnceStatement,
  addStatements,
  compactStatement,
  countStatement,
  escapeControls,
  findStatements,
  pageStatements,
  recountStatement,
  startOfPet,
  type Statements,
} from './pets.sql.js';

/** Which pages are asked for together: all in one order, all with a status or all without. */
export interface PageShape {
  order: ListOrder;
  isFiltered: boolean;
}

export interface AskedPage {
  status: PetStatus | undefined;
  /** Animals behind this id, in the order of the shape. */
  afterId: bigint | undefined;
  size: number;
}

export interface PageOfPets {
  /** The animals as the text of a JSON array, which goes to the client as it is. */
  json: string;
  /** Of its last animal, when more follow. */
  lastId?: bigint;
}

export interface AskedPet {
  id: bigint;
  /** That it has to have. */
  status: PetStatus | undefined;
}

export interface AskedAddition {
  newPet: Required<NewPet>;
  claim: IdempotencyClaim | undefined;
}

/** What a recount found. */
export interface Recount {
  status: PetStatus;
  /** As it was kept, and has been corrected if it differs. */
  kept: bigint;
  counted: bigint;
}

type PageRow = [text: string | null, hasMore: boolean];

/**
 * Answers many requests by one statement each. Raw SQL, because Prisma's own calls have no words for it: with 32
 * requests together, a page took 43 µs of this process, by findMany 1 137 (docs/decisions/batches.md).
 */
@Injectable()
export class PetsRepository {
  constructor(private readonly prisma: PrismaService) {}

  /** In the order of `asked`. */
  async pages({ order, isFiltered }: PageShape, asked: readonly AskedPage[]): Promise<PageOfPets[]> {
    const from = asked.map(({ afterId }) => fromId(order, afterId));
    const sizes = asked.map(({ size }) => size);
    const statuses = asked.map(({ status }) => status);
    const rows = await (isFiltered
      ? this.run<PageRow>(pageStatements[order].filtered, [from, sizes, statuses])
      : this.run<PageRow>(pageStatements[order].all, [from, sizes]));
    return rows.map(([text, hasMore]) => toPage(escapeControls(text ?? ''), hasMore));
  }

  /** As JSON text, in the order of `asked`; `null` where there is no such animal. */
  async find(asked: readonly AskedPet[]): Promise<(string | null)[]> {
    const ids = asked.map(({ id }) => id);
    const statuses = asked.map(({ status }) => status);
    const rows = await this.run<[text: string | null]>(findStatements, [ids, statuses]);
    return asked.map((_, index) => {
      const text = rows[index]?.[0] ?? null;
      return text && escapeControls(text);
    });
  }

  /** The new ids, in the order of `asked`; `null`, and nothing stored, where the key of the claim is taken. */
  async add(asked: readonly AskedAddition[]): Promise<(bigint | null)[]> {
    const pets = [
      asked.map(({ newPet }) => newPet.name),
      asked.map(({ newPet }) => newPet.categoryId),
      asked.map(({ newPet }) => newPet.status),
    ];
    const claims = asked.map(({ claim }) => claim);
    const rows = await (claims.some((claim) => claim !== undefined)
      ? this.prisma.queryRows<[id: string | null]>(addOnceStatement, [...pets, ...columnsOf(claims)])
      : this.run<[id: string]>(addStatements, pets));
    return rows.map(([id]) => (id === null ? null : BigInt(id)));
  }

  /** How many animals there are of each status that has any. */
  async counts(): Promise<ReadonlyMap<PetStatus, number>> {
    const rows = await this.prisma.queryRows<[status: PetStatus, animals: string]>(countStatement, []);
    return new Map(rows.map(([status, animals]) => [status, Number(animals)]));
  }

  /** Adds up rows that `counts` adds up, so that it has less to do; not while another process does. */
  async compactCounts(): Promise<void> {
    // Whatever the database's default: a stricter level would fail for what others write, and make their totals fail. As
    // a statement, because Prisma runs a transaction of one without any.
    await this.prisma.$transaction([
      this.prisma.$executeRawUnsafe('SET TRANSACTION ISOLATION LEVEL READ COMMITTED'),
      this.prisma.$executeRawUnsafe(compactStatement),
    ]);
  }

  /** Counts the animals themselves, and corrects what is kept of their number; writers go on meanwhile. */
  async recount(): Promise<Recount[]> {
    return this.prisma.$queryRawUnsafe<Recount[]>(recountStatement);
  }

  /** By columns of values, each with one for each request. */
  private run<Row extends unknown[]>(
    { one, many }: Statements,
    columns: readonly (readonly Value[])[],
  ): Promise<Row[]> {
    const isAlone = columns[0]?.length === 1;
    return this.prisma.queryRows<Row>(isAlone ? one : many, isAlone ? columns.map(([value]) => value) : columns);
  }
}

/** Where a page begins, itself included. */
function fromId(order: ListOrder, afterId: bigint | undefined): bigint {
  if (order === 'asc') return afterId === undefined ? int64.min : afterId + (afterId < int64.max ? 1n : 0n);
  return afterId === undefined ? int64.max : afterId - (afterId > int64.min ? 1n : 0n);
}

function columnsOf(claims: readonly (IdempotencyClaim | undefined)[]) {
  return [
    claims.map((claim) => claim?.apiKeyId),
    claims.map((claim) => claim?.key),
    claims.map((claim) => claim && Buffer.from(claim.fingerprint).toString('hex')),
    claims.map((claim) => claim?.createdAt.toISOString()),
  ];
}

/** Without the animal that is one too many and only tells that more follow. */
function toPage(json: string, hasMore: boolean): PageOfPets {
  if (!hasMore) return { json: `[${json}]` };
  const kept = json.slice(0, json.lastIndexOf(`,${startOfPet}`));
  const lastPet = kept.slice(kept.lastIndexOf(startOfPet));
  return { json: `[${kept}]`, lastId: BigInt(lastPet.slice(startOfPet.length, lastPet.indexOf(','))) };
}
