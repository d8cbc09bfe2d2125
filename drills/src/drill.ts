import { spawnSync } from 'node:child_process';
import { Cleanup, cleanUpAtSignals } from '@petstore/processes/cleanup.js';
import { expect, test, type TestContext } from 'vitest';
import { failuresOf, Tally } from './tally.js';

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
    task.meta.counts = tally;
    expect(failuresOf(tally)).toEqual([]);
  },
});

/** The packages of programs whose package has another name. */
const debianPackages: Record<string, string> = {
  bwrap: 'bubblewrap',
  etcd: 'etcd-server',
  ip: 'iproute2',
  psql: 'postgresql-client',
};

/** Skips the drill unless root runs the drill and these programs are installed. */
export function requireRootAnd(skip: DrillContext['skip'], programs: readonly string[]): void {
  if (process.getuid?.() !== 0) skip('only root can run it');
  requirePrograms(skip, programs);
}

/** Skips the drill unless these programs are installed. */
export function requirePrograms(skip: DrillContext['skip'], programs: readonly string[]): void {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length === 0) return;
  const packages = missing.map((program) => debianPackages[program] ?? program);
  skip(`${missing.join(', ')} not installed; on Debian: apt-get install ${packages.join(' ')}`);
}
