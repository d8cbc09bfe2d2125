import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../support/test-service.js';

let service: TestService;
let file: string;
beforeAll(async () => {
  service = await TestService.prepare();
  file = join(service.dataDir, 'categories.csv');
  service.with({ CATEGORIES_FILE: file });
});
afterAll(() => service.remove());

const list = async () => (await service.api.get('/categories.json')).json;

describe('CATEGORIES_FILE', () => {
  it('prevents the start before the database is created, if a line is invalid', async () => {
    await writeFile(file, 'number,name\n1,Dogs\n2\n3.5,Cats\n');
    const { code, stderr } = await runProgram('main.js', [], service.variables);
    expect([code, stderr.split('\n')]).toEqual([
      78,
      [
        'Invalid configuration:',
        `  CATEGORIES_FILE: ${file}: line 3 must have 2 cells, number and name, not 1`,
        `  CATEGORIES_FILE: ${file}: line 4: number must be an integer between -9223372036854775808 and 9223372036854775807`,
        '',
      ],
    ]);
    expect(await service.postmasterPid()).toBeUndefined();
  });

  it('is served, and reloaded when another file replaces it', async () => {
    await writeFile(file, '1,Dogs\n');
    await service.start();
    expect(await list()).toEqual([{ id: 1n, name: 'Dogs' }]);
    await writeFile(`${file}.new`, '1,Hunde\n9007199254740993,Katzen\n');
    await rename(`${file}.new`, file);
    await expect.poll(list, { timeout: 20_000 }).toEqual([
      { id: 1n, name: 'Hunde' },
      { id: 9_007_199_254_740_993n, name: 'Katzen' },
    ]);
  });
});
