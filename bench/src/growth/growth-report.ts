import { median } from '../measure/statistics.js';
import type { GrownTable, PagePlace } from './grown-table.js';

/** The measurements of one table in one round. */
export interface GrowthRound {
  /** Median milliseconds of a page for a single client. */
  readonly pages: Readonly<Record<PagePlace, number>>;
  readonly countMs: number;
}

/** All measurements of one table. */
export interface Grown {
  readonly table: GrownTable;
  readonly rounds: readonly GrowthRound[];
  /** Creates per second of 64 clients, by round. */
  readonly creates: readonly number[];
  /** Memory of the service at the end, in bytes. */
  readonly residentBytes: number;
}

/** Medians over the rounds. Ratios compare with the first page and the creates of the smallest table. */
export interface GrowthRow {
  readonly animals: number;
  readonly fillSeconds: number;
  readonly pagesMs: Readonly<Record<PagePlace, number>>;
  readonly pageRatios: Readonly<Record<PagePlace, number>>;
  readonly createsPerSecond: number;
  /** The time of a create, relative to the smallest table. */
  readonly createRatio: number;
  readonly countMs: number;
  readonly residentBytes: number;
}

export interface GrowthReport {
  readonly rows: readonly GrowthRow[];
  /** Creates per second with counting divided by those without, by round. */
  readonly countingRatios: readonly number[];
}

/** One row per table, smallest first. */
export function toRows(grown: readonly Grown[]): GrowthRow[] {
  const [smallest] = grown;
  if (!smallest) return [];
  return grown.map((one) => ({
    animals: one.table.animals,
    fillSeconds: one.table.fillSeconds,
    pagesMs: byPlace((place) => median(one.rounds.map(({ pages }) => pages[place]))),
    pageRatios: byPlace((place) =>
      median(one.rounds.map(({ pages }, round) => pages[place] / (smallest.rounds[round]?.pages.first ?? Number.NaN))),
    ),
    createsPerSecond: median(one.creates),
    createRatio: median(one.creates.map((creates, round) => (smallest.creates[round] ?? Number.NaN) / creates)),
    countMs: median(one.rounds.map(({ countMs }) => countMs)),
    residentBytes: one.residentBytes,
  }));
}

function byPlace(value: (place: PagePlace) => number): Record<PagePlace, number> {
  return { first: value('first'), middle: value('middle'), last: value('last') };
}
