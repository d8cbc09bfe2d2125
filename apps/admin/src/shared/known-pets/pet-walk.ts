import type { PetPage, PetstoreClient } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import type { PetIndex } from './pet-index.js';

const pageSize = 100;
const minuteMs = 60_000;
const rereadIds = 1000n;
/** An open search repeats at each report. */
const pagesPerReport = 10;

interface Mark {
  at: number;
  highestId: bigint;
}

/** How far a finished walk came: a later visit continues from here. */
export interface WalkState {
  marks: readonly Mark[];
  /** Whether the store has more animals than those that were kept. */
  isLimitReached: boolean;
}

/** Reads the store into the index: all animals once, from the newest, and later only the newest ones. */
export class PetWalk {
  /** The page where the first walk continues after an error. */
  private next: string | undefined;
  private isComplete = false;
  /** Whether the animals of an earlier visit have not been compared with the store yet. */
  private isRestored = false;
  /** The highest id at the start of each update: the first entry is at least a minute older than the last one. */
  private marks: Mark[] = [];
  /** The number of animals in the store, when it was last counted. */
  total: number | undefined;

  constructor(
    private readonly index: PetIndex,
    /** Called when all animals were forgotten. */
    private readonly onReset: () => void = () => undefined,
  ) {}

  /** What a later visit needs. `undefined` until all animals were read. */
  get state(): WalkState | undefined {
    return this.isComplete ? { marks: this.marks, isLimitReached: this.index.isLimitReached } : undefined;
  }

  /** Continues after an earlier visit, whose animals are in the index. */
  restore({ marks, isLimitReached }: WalkState): void {
    this.marks = [...marks];
    this.index.isLimitReached ||= isLimitReached;
    this.isComplete = true;
    this.isRestored = true;
  }

  /** Forgets all animals. The next update reads them again. */
  reset(): void {
    this.index.clear();
    this.marks = [];
    this.next = undefined;
    this.total = undefined;
    this.isComplete = false;
    this.isRestored = false;
    this.onReset();
  }

  /** @throws what the client throws. The next call continues where this one failed. */
  async update(client: PetstoreClient, onProgress: () => void): Promise<void> {
    try {
      if (this.isRestored && !(await this.isSameStore(client))) this.reset();
      this.isRestored = false;
      if (this.marks.length > 0) await this.readNewAndCount(client);
      if (!this.isComplete) await this.readAll(client, onProgress);
    } finally {
      onProgress();
    }
  }

  /** Whether the store still has the newest known animal: it may be another store, or one that was restored. */
  private async isSameStore(client: PetstoreClient): Promise<boolean> {
    const { newest } = this.index;
    if (!newest) return false;
    const found = await client.getPet(newest.id);
    const fields = Object.keys(newest) as (keyof Pet)[];
    return found !== undefined && fields.every((field) => found[field] === newest[field]);
  }

  private async readAll(client: PetstoreClient, report: () => void): Promise<void> {
    const at = Date.now();
    let pages = 0;
    this.total ??= (await client.listPets({ limit: 1, count: true }).page()).total;
    report();
    for await (const { pets, next } of client.listPets({ limit: pageSize, order: 'desc', after: this.next }).pages()) {
      this.index.add(pets);
      if (this.marks.length === 0) this.marks.push({ at, highestId: pets[0]?.id ?? 0n });
      this.next = next;
      if (pages % pagesPerReport === 0) report();
      pages += 1;
      if (this.index.isLimitReached) break;
    }
    this.isComplete = true;
  }

  /** Reads everything again if the number of animals differs from the known ones, twice by the same number. */
  private async readNewAndCount(client: PetstoreClient): Promise<void> {
    const difference = await this.readNew(client);
    if (!this.isComplete || this.index.isLimitReached || difference === 0) return;
    // Animals that were added in the meantime make a difference once.
    if ((await this.readNew(client)) === difference) this.reset();
  }

  /**
   * Ids can commit out of order. This rereads what may have been added since a minute before the last update, and a
   * thousand ids before that. Numbers that are all known need no second look.
   * @returns the number of animals in the store that are not known
   */
  private async readNew(client: PetstoreClient): Promise<number> {
    const at = Date.now();
    const lowestMissing = this.index.firstGap((this.marks[0]?.highestId ?? 0n) - rereadIds);
    let first: PetPage | undefined;
    for await (const page of client.listPets({ limit: pageSize, order: 'desc', count: true }).pages()) {
      this.index.add(page.pets);
      first ??= page;
      if (page.pets.some(({ id }) => id < lowestMissing)) break;
    }
    const highestId = first?.pets[0]?.id ?? 0n;
    this.total = first?.total;
    this.marks.push({ at, highestId });
    while ((this.marks[1]?.at ?? at) <= at - minuteMs) this.marks.shift();
    return (this.total ?? 0) - this.index.countUpTo(highestId);
  }
}
