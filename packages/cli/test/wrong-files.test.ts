import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { documentation, file, folder, run } from './support/command.js';

// Without a line end: a journal that begins in this file would lose the animal.
const content = 'name,categoryId\nRex,7';

beforeAll(() => {
  file('animals.csv', content);
  execFileSync('bash', ['-c', 'mkfifo pipe'], { cwd: folder });
});

it.for<[string[], number, string]>([
  [['import', ''], 2, '<file> cannot be "". Name a file.'],
  [['import', '.'], 2, '. is a directory. Name a CSV or NDJSON file.'],
  [['import', 'missing.csv'], 2, 'The file missing.csv does not exist.'],
  [['export', ''], 2, '<file> cannot be "". Name a file.'],
  [['export', '.'], 2, '. is a directory. Name a file in it.'],
  [['export', 'missing/animals.csv'], 2, 'The directory missing does not exist.'],
  [['export', 'pipe', '--force'], 2, 'pipe is not a file. For standard output, use -'],
  [['export', 'animals.csv'], 2, 'animals.csv exists. Use --force to replace it.'],
  [['import', 'animals.csv', '--journal', '.'], 2, 'The journal . is a directory. Choose a file with --journal.'],
  [
    ['import', 'animals.csv', '--journal', 'missing/journal'],
    1,
    'The journal cannot be written in missing: it does not exist. Choose a file with --journal.',
  ],
  [
    ['import', 'animals.csv', '--journal', 'pipe'],
    2,
    'The journal pipe is a device or a pipe. Choose a file with --journal.',
  ],
  [
    ['import', 'animals.csv', '--journal', '/dev/zero'],
    2,
    'The journal /dev/zero is a device or a pipe. Choose a file with --journal.',
  ],
  [
    ['import', 'animals.csv', '--journal', 'animals.csv'],
    2,
    'animals.csv is not a journal. Choose another file with --journal.',
  ],
])('%j is rejected, and changes no file', async ([args, code, message]) => {
  const { stderr, ...result } = await run(args);
  expect(result).toEqual({ stdout: '', code });
  expect(stderr).toContain(`Error: ${message}\n`);
  if (code === 2) expect(stderr).toContain(documentation);
  expect(readFileSync(join(folder, 'animals.csv'), 'utf8')).toBe(content);
});
