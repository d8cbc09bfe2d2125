const shownFaults = 5;

/** What a drill counts. Whatever is lost, duplicated or wrong fails it. */
export class Tally {
  /** Animals whose 201 arrived. */
  acknowledged = 0;
  /** Acknowledged animals that are not there. */
  lost = 0;
  /** Animals that are there more than once. */
  duplicated = 0;
  /** Answers that turned a request away as they are allowed to: 503 and 429. */
  refused = 0;
  /** The longest time in which no animal was acknowledged. */
  longestGapMs = 0;
  /** Each promise that was not kept, in words. */
  readonly wrong: string[] = [];
  readonly #notes: string[] = [];

  /** Counts what is not as it was promised. */
  expect(isKept: boolean, otherwise: string): void {
    if (!isKept) this.wrong.push(otherwise);
  }

  /** Adds a figure that only this drill has. */
  note(figure: string): void {
    this.#notes.push(figure);
  }

  get isGood(): boolean {
    return this.lost + this.duplicated + this.wrong.length === 0;
  }

  /** Its figures in one line. */
  toString(): string {
    const counts = [
      `acknowledged ${number(this.acknowledged)}`,
      `lost ${number(this.lost)}`,
      `wrong ${number(this.wrong.length)}`,
      `duplicated ${number(this.duplicated)}`,
      `refused ${number(this.refused)}`,
    ];
    const gap = this.longestGapMs > 0 ? [`longest gap ${seconds(this.longestGapMs)}`] : [];
    return [...counts, ...gap, ...this.#notes].join(', ');
  }

  /** The first of what went wrong, a line each. */
  faults(): string[] {
    const kinds = [...new Set(this.wrong)];
    const more = kinds.length - shownFaults;
    return [...kinds.slice(0, shownFaults), ...(more > 0 ? [`and ${more} more of another kind`] : [])];
  }
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
