/** A pseudo-random generator with the same numbers in every run (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** An integer from 0 to `end` - 1. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  /** A random item of a list that is not empty. */
  pick<Item>(list: readonly Item[]): Item {
    return list[this.below(list.length)] as Item;
  }
}
