import { Cleanup, cleanUpAtSignals } from '@petstore/processes/cleanup.js';
import { expect, test, type TestContext } from 'vitest';
import { Tally } from './tally.js';

interface Fixtures {
  /** Runs the short form: the same checks, repeated less often. */
  readonly isQuick: boolean;
  /** Replaces the number of animals of a drill. */
  readonly animals: number | undefined;
  /** Runs after the drill, even if it fails. */
  readonly cleanup: Cleanup;
  /** The counts of the drill, which fails if anything is lost, duplicated or wrong. */
  readonly tally: Tally;
}

export type DrillContext = TestContext & Fixtures;

const { DRILL_QUICK, DRILL_ANIMALS } = process.env;

/**
 * Defines a drill: a fault, and what the service promises when it occurs. It needs a timeout. `skip` of its context
 * explains why this machine does not support it.
 */
export const drill = test.extend<Fixtures>({
  isQuick: DRILL_QUICK === '1',
  animals: DRILL_ANIMALS === undefined ? undefined : Number(DRILL_ANIMALS),
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures that a fixture uses from its first parameter
  cleanup: async ({}, use) => {
    const cleanup = new Cleanup();
    cleanUpAtSignals(cleanup);
    await use(cleanup);
    await cleanup.run();
  },
  tally: async ({ task }, use) => {
    const tally = new Tally();
    await use(tally);
    task.meta.tally = tally.report();
    expect(tally.failures()).toEqual([]);
  },
});
