import { expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.js';

it.each([
  'postgres://root:hunter2@db1,db2/petstore',
  'postgres://root:hunter2@db1:5432,db2:5433/petstore?target_session_attrs=read-write',
  'postgres://root:hunter2@/petstore?host=db1,db2',
])('the DATABASE_URL %s is rejected, because it names several hosts', (url) => {
  expect(() => readConfig({ DATABASE_URL: url })).toThrow(
    'DATABASE_URL must name one host. For several servers, name a proxy that connects to the primary',
  );
});

it('a comma in the user or the password is not another host', () => {
  const url = 'postgres://u,v:p,w@db/petstore';
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});
