import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@petstore/processes/program.js';
import { expect, it, onTestFinished } from 'vitest';
import { TestService } from '../support/test-service.js';

it('a start with an invalid line in CATEGORIES_FILE fails before it creates the database', async () => {
  const service = await TestService.prepare();
  onTestFinished(() => service.remove());
  const file = join(service.dataDir, 'categories.csv');
  await writeFile(file, 'number,name\n1,Dogs\n2\n3.5,Cats\n');
  const variables = { ...service.variables, CATEGORIES_FILE: file, LOG_FORMAT: 'pretty' };
  const { code, stderr } = await runProgram('main.js', [], variables);
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
