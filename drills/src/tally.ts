const maxFailures = 5;

/** The counts of a drill, for another process. */
export interface TallyReport extends Pick<
  Tally,
  'acknowledged' | 'lost' | 'duplicated' | 'rejected' | 'longestGapMs' | 'wrong'
> {
  readonly notes: readonly string[];
}

/** The counts of a drill. */
export class Tally {
  /** Animals whose 201 arrived. */
  acknowledged = 0;
  /** Acknowledged animals that are not stored. */
  lost = 0;
  /** Animals that are stored more than once. */
  duplicated = 0;
  /** Allowed rejections: 503 and 429. */
  rejected = 0;
  /** The longest time in which no animal was acknowledged. */
  longestGapMs = 0;
  /** The unmet expectations. */
  readonly wrong: string[] = [];
  readonly #notes: string[] = [];

  /** Records `failure` if an expectation is not met. */
  expect(isKept: boolean, failure: string): void {
    if (!isKept) this.wrong.push(failure);
  }

  /** Adds a result that only this drill has. */
  note(figure: string): void {
    this.#notes.push(figure);
  }

  /** The counts and notes, for `add` in another process. */
  report(): TallyReport {
    const { acknowledged, lost, duplicated, rejected, longestGapMs, wrong } = this;
    return { acknowledged, lost, duplicated, rejected, longestGapMs, wrong, notes: this.#notes };
  }

  /** Replaces the counts by those of another process. */
  add({ wrong, notes, ...counts }: TallyReport): void {
    Object.assign(this, counts);
    this.wrong.push(...wrong);
    this.#notes.push(...notes);
  }

  /** All counts in one line. */
  toString(): string {
    const counts = [
      `acknowledged ${number(this.acknowledged)}`,
      `lost ${number(this.lost)}`,
      `wrong ${number(this.wrong.length)}`,
      `duplicated ${number(this.duplicated)}`,
      `rejected ${number(this.rejected)}`,
    ];
    const gap = this.longestGapMs > 0 ? [`longest gap ${seconds(this.longestGapMs)}`] : [];
    return [...counts, ...gap, ...this.#notes].join(', ');
  }

  /** Why the drill failed: the first kinds of failure, and the counts of animals. Empty: it passed. */
  failures(): string[] {
    const animals = [
      ...(this.lost > 0 ? [`${number(this.lost)} animals are lost`] : []),
      ...(this.duplicated > 0 ? [`${number(this.duplicated)} animals are stored more than once`] : []),
    ];
    const kinds = [...new Set(this.wrong)];
    const more = kinds.length - maxFailures;
    return [...animals, ...kinds.slice(0, maxFailures), ...(more > 0 ? [`and ${more} more of another kind`] : [])];
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
