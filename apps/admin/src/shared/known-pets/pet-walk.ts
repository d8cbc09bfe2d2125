import type { PetstoreClient } from '@petstore/client';
import type { PetIndex } from './pet-index.js';

const pageSize = 100;
const minuteMs = 60_000;
const rereadIds = 1000n;
/** An open search repeats at each report. */
const pagesPerReport = 10;

/** Reads the store into the index: all animals once, from the newest, and later only the newest ones. */
export class PetWalk {
  /** The page where the first walk continues after an error. */
  private next: string | undefined;
  private isComplete = false;
  /** The highest id at the start of each update: the first entry is at least a minute older than the last one. */
  private readonly marks: { at: number; highestId: bigint }[] = [];

  constructor(private readonly index: PetIndex) {}

  /** @throws what the client throws. The next call continues where this one failed. */
  async update(client: PetstoreClient, onProgress: (searched: number) => void): Promise<void> {
    const report = () => onProgress(this.index.size);
    try {
      if (this.marks.length > 0) await this.readNew(client);
      if (!this.isComplete) await this.readAll(client, report);
    } finally {
      report();
    }
  }

  private async readAll(client: PetstoreClient, report: () => void): Promise<void> {
    const at = Date.now();
    let pages = 0;
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

  /**
   * Ids can commit out of order. This rereads everything that was added since a minute before the last update, and a
   * thousand ids before that.
   */
  private async readNew(client: PetstoreClient): Promise<void> {
    const at = Date.now();
    const lastId = (this.marks[0]?.highestId ?? 0n) - rereadIds;
    let highestId: bigint | undefined;
    for await (const { pets } of client.listPets({ limit: pageSize, order: 'desc' }).pages()) {
      this.index.add(pets);
      highestId ??= pets[0]?.id;
      if (pets.some(({ id }) => id < lastId)) break;
    }
    this.marks.push({ at, highestId: highestId ?? 0n });
    while ((this.marks[1]?.at ?? at) <= at - minuteMs) this.marks.shift();
  }
}
