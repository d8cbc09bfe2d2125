import type { PetPage, PetstoreClient } from '@petstore/client';
import type { PetStatus } from '@petstore/contracts';
import { isTerminal } from '../output.js';
import type { Progress } from '../progress.js';

const pageSize = 100;

/** The pages of an export. */
export class CountedPages {
  /** The number of animals that were read. */
  exported = 0;

  constructor(
    private readonly client: PetstoreClient,
    private readonly options: { status: PetStatus | undefined; signal: AbortSignal },
  ) {}

  /** The number of animals, for the progress bar. Not read without a terminal. */
  async total(): Promise<number> {
    if (!isTerminal(process.stderr)) return 0;
    const { status, signal } = this.options;
    const { total } = await this.client.listPets({ status, limit: 1, count: true }, { signal }).page();
    return total ?? 0;
  }

  async *read(progress: Progress): AsyncGenerator<PetPage, void> {
    const { status, signal } = this.options;
    for await (const page of this.client.listPets({ status, limit: pageSize }, { signal }).pages()) {
      this.exported += page.pets.length;
      progress.advance(page.pets.length);
      yield page;
    }
  }
}
