import { Cleanup } from '@petstore/processes/cleanup.js';
import { describe, expect, it } from 'vitest';
import { allDrills } from '../src/all-drills.js';
import { runDrill } from '../src/run-drills.js';

describe('the short form of the drill', () => {
  it.each(allDrills)('$name loses, duplicates and mistakes nothing', async (drill) => {
    const { tally, skipped } = await runDrill(drill, true, new Cleanup());
    expect([tally.lost, tally.duplicated, tally.wrong]).toEqual([0, 0, []]);
    if (skipped === undefined) expect(tally.toString()).toMatch(/^acknowledged \d/);
  });
});
