import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { documentation, file, folder, run } from './support/command.js';

const content = 'name,categoryId\nRex,7';

beforeAll(() => {
  file('animals.csv', content);
  file('open.csv', 'name,categoryId\n"Rex,7\nMia,7\n');
  execFileSync('bash', ['-c', 'mkfifo pipe; ln -s loop loop'], { cwd: folder });
});

it.for<[string[], number, string]>([
  [['import', ''], 2, "command-argument value '' is invalid for argument 'file'. Name a file."],
  [['import', '.'], 2, '. is a directory. Name an Excel, CSV or NDJSON file.'],
  [['import', 'missing.csv'], 2, 'The file missing.csv does not exist.'],
  [['import', 'open.csv'], 1, 'Row 2: a quotation mark opens a cell, but none closes it.'],
  [['export', ''], 2, "command-argument value '' is invalid for argument 'file'. Name a file."],
  [['export', 'a.xls'], 2, 'An export cannot be an .xls file. Use .xlsx'],
  [['export', '.'], 2, '. is a directory. Name a file in it.'],
  [['export', 'missing/animals.csv'], 2, 'The directory missing does not exist.'],
  [['export', 'animals.csv/copy.csv'], 2, 'animals.csv/copy.csv: a part of the path is not a directory.'],
  [['export', 'loop/animals.csv'], 2, 'loop/animals.csv: ELOOP'],
  [['export', 'pipe', '--force'], 2, 'pipe is not a file. For standard output, use -'],
  [['export', 'animals.csv'], 2, 'animals.csv exists. Use --force to replace it.'],
])('%j is rejected, and changes no file', async ([args, code, message]) => {
  const { stderr, ...result } = await run(args);
  expect(result).toEqual({ stdout: '', code });
  expect(stderr).toContain(message);
  if (code === 2) expect(stderr).toContain(documentation);
  expect(readFileSync(join(folder, 'animals.csv'), 'utf8')).toBe(content);
});
