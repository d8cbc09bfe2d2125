import { Injectable } from '@nestjs/common';
import { int64, type ListOrder, type NewPet, type PetStatus } from '@petstore/contracts';
import { PrismaService, type QueryRows, type Value } from '../../platform/database/prisma.service.js';
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
  private readonly queryRows: QueryRows;

  constructor(private readonly prisma: PrismaService) {
    this.queryRows = prisma.queryRows;
  }

  /** In the order of `asked`. */
  async pages({ order, isFiltered }: PageShape, asked: readonly AskedPage[]): Promise<PageOfPets[]> {
    const shape = isFiltered ? 'filtered' : 'all';
    const rows = await this.run<PageRow, AskedPage>(pageStatements[order][shape], pageColumns[order][shape], asked);
    return rows.map(([text, hasMore]) => toPage(escapeControls(text ?? ''), hasMore));
  }

  /** As JSON text, in the order of `asked`; `null` where there is no such animal. */
  async find(asked: readonly AskedPet[]): Promise<(string | null)[]> {
    const rows = await this.run<[text: string | null], AskedPet>(findStatements, petColumns, asked);
    return asked.map((_, index) => {
      const text = rows[index]?.[0] ?? null;
      return text && escapeControls(text);
    });
  }

  /** The new ids, in the order of `asked`; `null`, and nothing stored, where the key of the claim is taken. */
  async add(asked: readonly AskedAddition[]): Promise<(bigint | null)[]> {
    const rows = await (asked.some(({ claim }) => claim !== undefined)
      ? this.queryRows<[id: string | null]>(addOnceStatement, inColumns(claimColumns, asked))
      : this.run<[id: string], AskedAddition>(addStatements, newPetColumns, asked));
    return rows.map(([id]) => (id === null ? null : BigInt(id)));
  }

  /** How many animals there are of each status that has any. */
  async counts(): Promise<ReadonlyMap<PetStatus, number>> {
    const rows = await this.queryRows<[status: PetStatus, animals: string]>(countStatement, []);
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

  private run<Row extends unknown[], Item>(
    { one, many }: Statements,
    columns: Columns<Item>,
    asked: readonly Item[],
  ): Promise<Row[]> {
    const alone = asked.length === 1 ? asked[0] : undefined;
    return alone
      ? this.queryRows<Row>(one, valuesOf(columns, alone))
      : this.queryRows<Row>(many, inColumns(columns, asked));
  }
}

/** What a request brings to each parameter of a statement. */
type Columns<Item> = readonly ((item: Item) => Value)[];

function valuesOf<Item>(columns: Columns<Item>, item: Item): Value[] {
  return columns.map((valueOf) => valueOf(item));
}

function inColumns<Item>(columns: Columns<Item>, items: readonly Item[]): Value[][] {
  return columns.map((valueOf) => items.map((item) => valueOf(item)));
}

const sizeOf = ({ size }: AskedPage) => size;
const statusOf = ({ status }: { status: PetStatus | undefined }) => status;

/** Pages begin at an id, itself included. */
const fromId = {
  asc: ({ afterId }: AskedPage) => (afterId === undefined ? int64.min : afterId + (afterId < int64.max ? 1n : 0n)),
  desc: ({ afterId }: AskedPage) => (afterId === undefined ? int64.max : afterId - (afterId > int64.min ? 1n : 0n)),
};

const pageColumns = {
  asc: { all: [fromId.asc, sizeOf], filtered: [fromId.asc, sizeOf, statusOf] },
  desc: { all: [fromId.desc, sizeOf], filtered: [fromId.desc, sizeOf, statusOf] },
};

const petColumns: Columns<AskedPet> = [({ id }) => id, statusOf];

const newPetColumns: Columns<AskedAddition> = [
  ({ newPet }) => newPet.name,
  ({ newPet }) => newPet.categoryId,
  ({ newPet }) => newPet.status,
];

const claimColumns: Columns<AskedAddition> = [
  ...newPetColumns,
  ({ claim }) => claim?.apiKeyId,
  ({ claim }) => claim?.key,
  ({ claim }) => claim && Buffer.from(claim.fingerprint).toString('hex'),
  ({ claim }) => claim?.createdAt.toISOString(),
];

/** Without the animal that is one too many and only tells that more follow. */
function toPage(json: string, hasMore: boolean): PageOfPets {
  if (!hasMore) return { json: `[${json}]` };
  const kept = json.slice(0, json.lastIndexOf(`,${startOfPet}`));
  const lastPet = kept.slice(kept.lastIndexOf(startOfPet));
  return { json: `[${kept}]`, lastId: BigInt(lastPet.slice(startOfPet.length, lastPet.indexOf(','))) };
}
