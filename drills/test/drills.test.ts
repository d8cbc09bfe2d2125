import { Cleanup } from '@petstore/processes/cleanup.js';
import { describe, expect, it } from 'vitest';
import { allDrills } from '../src/all-drills.js';
import { runDrill } from '../src/run-drills.js';

/** Each drill gives up by itself, and then undoes what it made. */
const longestMs = Math.max(...allDrills.map(({ limitSeconds }) => limitSeconds * 1000));
const undoMs = 60_000;

describe('the short form of the drill', () => {
  it.for(allDrills)(
    '$name loses, duplicates and mistakes nothing',
    { timeout: longestMs + undoMs },
    async (drill, { skip }) => {
      const { tally, skipped } = await runDrill(drill, true, new Cleanup());
      expect([tally.lost, tally.duplicated, tally.wrong]).toEqual([0, 0, []]);
      if (skipped !== undefined) skip(skipped);
    },
  );
});
