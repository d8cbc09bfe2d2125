import { afterEach, describe, expect, it, vi } from 'vitest';
import { findFailed } from '../check.mjs';

afterEach(() => vi.restoreAllMocks());

describe('npm run check', () => {
  it('names the checks that fail, with their output and how to fix them', async () => {
    const lines = [];
    vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
    const failed = await findFailed([
      { name: 'types', command: ['sh', '-c', 'exit 0'] },
      { name: 'format', command: ['sh', '-c', 'echo a.ts is not formatted; exit 1'], fix: 'Run `npm run format`.' },
    ]);
    expect(failed).toEqual(['format']);
    const output = lines.join('\n');
    expect(output).toMatch(/^ok {6}types/m);
    expect(output).toMatch(/^FAILED {2}format/m);
    expect(output).toContain('a.ts is not formatted\n\nRun `npm run format`.');
  });
});
