import { describe, expect, it } from 'vitest';
import { environment, file, newCategory, runInTerminal } from './support/command.js';

const escape = '\u001b[';
const colors = /\u001b\[\d+m/;

/** A file with many animals and one invalid line. */
function fileWithInvalidLine(name: string): string {
  return file(name, `name,categoryId\n${`Rex,${newCategory()}\n`.repeat(100)},7\n`);
}

describe('in a terminal', () => {
  it('an import has a progress bar with rate and time left, and colors', async () => {
    const { screen, code } = await runInTerminal(['import', fileWithInvalidLine('bar.csv'), '--skip-invalid']);
    expect(code).toBe(3);
    expect(screen).toMatch(/Importing [\d,]+ of 100, [\d,]+\/s, \d+:\d\d min left \[#*-*\]/);
    expect(screen).toContain(`Row 102: ${escape}33minvalid`);
    expect(screen).toContain('Created: 100 (ids ');
  });

  it('an import has no colors with NO_COLOR', async () => {
    const variables = { ...environment(), NO_COLOR: '1' };
    const args = ['import', fileWithInvalidLine('plain.csv'), '--dry-run'];
    const { screen } = await runInTerminal(args, { variables });
    expect(screen).toContain('Row 102: invalid: `name` is required.');
    expect(screen).not.toMatch(colors);
  });

  it('an export has a progress bar', async () => {
    const { screen } = await runInTerminal(['export', 'bar-export.csv']);
    expect(screen).toMatch(/Exporting [\d,]+ of [\d,]+.* \[#*-*\]/);
  });
});
