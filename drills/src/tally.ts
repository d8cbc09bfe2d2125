const maxFailures = 5;

/** The counts of a drill. Expectations and notes belong to them. */
export interface Counts {
  /** Animals whose 201 arrived. */
  acknowledged: number;
  /** Acknowledged animals that are not stored. */
  lost: number;
  /** Animals that are stored more than once. */
  duplicated: number;
  /** Allowed rejections: 503 and 429. */
  rejected: number;
  /** The longest time in which no animal was acknowledged. */
  longestGapMs: number;
  /** The unmet expectations. */
  wrong: string[];
  /** Results that only this drill has. */
  notes: string[];
}

/** Counts while a drill runs. */
export class Tally implements Counts {
  acknowledged = 0;
  lost = 0;
  duplicated = 0;
  rejected = 0;
  longestGapMs = 0;
  wrong: string[] = [];
  notes: string[] = [];

  /** Records `failure` if an expectation is not met. */
  expect(isKept: boolean, failure: string): void {
    if (!isKept) this.wrong.push(failure);
  }

  note(figure: string): void {
    this.notes.push(figure);
  }
}

/** The counts of one drill, or the sum of several, in one line. */
export function describeCounts(all: readonly Counts[]): string {
  const sum = (of: (counts: Counts) => number) => number(all.reduce((total, counts) => total + of(counts), 0));
  return [
    `acknowledged ${sum(({ acknowledged }) => acknowledged)}`,
    `lost ${sum(({ lost }) => lost)}`,
    `wrong ${sum(({ wrong }) => wrong.length)}`,
    `duplicated ${sum(({ duplicated }) => duplicated)}`,
    `rejected ${sum(({ rejected }) => rejected)}`,
  ].join(', ');
}

/** Why a drill failed: the first kinds of failure, and the counts of animals. Empty: it passed. */
export function failuresOf({ lost, duplicated, wrong }: Counts): string[] {
  const kinds = [...new Set(wrong)];
  return [
    ...(lost > 0 ? [`${number(lost)} animals are lost`] : []),
    ...(duplicated > 0 ? [`${number(duplicated)} animals are stored more than once`] : []),
    ...kinds.slice(0, maxFailures),
    ...(kinds.length > maxFailures ? [`and ${kinds.length - maxFailures} more of another kind`] : []),
  ];
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
