import { Cleanup } from '@petstore/processes/cleanup.js';
import { describe, expect, it } from 'vitest';
import { diskFull } from '../src/drills/disk-full.drill.js';
import { killedService } from '../src/drills/killed-service.drill.js';
import { severalServices } from '../src/drills/several-services.drill.js';
import { upgrade } from '../src/drills/upgrade.drill.js';
import { runDrill } from '../src/run-drills.js';

/** The API tests cover the other drills. `npm run drill` runs all of them, and for longer. */
const drills = [killedService, diskFull, severalServices, upgrade];

/** Each drill has a time limit and cleans up after it. */
const longestMs = Math.max(...drills.map(({ limitSeconds }) => limitSeconds * 1000));
const cleanupMs = 60_000;

describe('the short form of a drill', () => {
  it.for(drills)(
    '$name loses and duplicates no animal, and meets all expectations',
    { timeout: longestMs + cleanupMs },
    async (drill, { skip }) => {
      const { tally, skipped } = await runDrill(drill, { isQuick: true }, new Cleanup());
      expect([tally.lost, tally.duplicated, tally.wrong]).toEqual([0, 0, []]);
      if (skipped !== undefined) skip(skipped);
    },
  );
});
