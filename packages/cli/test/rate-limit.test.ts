import { once } from 'node:events';
import type { LinkFault } from '@petstore/test-kit/faulty-link.js';
import { expect, it } from 'vitest';
import { csvOf, file, finish, newCategory, numbered, run, start } from './support/command.js';
import { linkTo } from './support/link.js';
import { storedNames } from './support/store.js';

const quota = 10;

/** A link to the service that allows 10 requests, then none for a second, then 10 again. */
async function limitedLink() {
  let [count, allowedAt] = [0, 0];
  const limit = (): LinkFault | undefined => {
    if (count === quota && Date.now() >= allowedAt) count = 0;
    if (count < quota) {
      count += 1;
      allowedAt = Date.now() + 1000;
      return undefined;
    }
    const body = JSON.stringify({ code: 'rate_limited', message: 'Try again in 1 s.', status: 429 });
    return { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '1' }, body };
  };
  return (await linkTo(limit)).variables;
}

const names = numbered(25);

it('An import of more rows than the rate limit allows waits, says so, and finishes in one run', async () => {
  const categoryId = newCategory();
  const { code, stdout, stderr } = await run(['import', file('limited.csv', csvOf(categoryId, names))], {
    variables: await limitedLink(),
  });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Created: 25 /)]);
  expect(stderr).toMatch(/^(Waiting 1 s for the rate limit, \d+ of 25 done\n)+$/);
  expect(await storedNames(categoryId)).toEqual(names.toSorted());
});

it.for([['list'], ['import', '--dry-run']])('%s with --no-wait requests animals once', async (args) => {
  const tooMany = { status: 429, headers: { 'retry-after': '1' } };
  const name = file('compared.csv', csvOf(7n, ['Rex']));
  const { link, variables } = await linkTo(({ path }) => (path.startsWith('/v1/') ? tooMany : undefined));
  expect(await run([...args, ...(args[0] === 'import' ? [name] : []), '--no-wait'], { variables })).toMatchObject({
    code: 1,
  });
  expect(link.requests.filter(({ path }) => path.startsWith('/v1/'))).toHaveLength(1);
});

it('A command fails at once when the service is unavailable for longer, for example because its disk is full', async () => {
  const body = '{"code":"service_unavailable","message":"The disk of the database is full.","status":503}';
  const { link, variables } = await linkTo(() => ({ status: 503, headers: { 'retry-after': '5' }, body }));
  expect(await run(['create', '--name', 'Rex', '--category-id', '7'], { variables })).toEqual({
    stdout: '',
    stderr: 'Error: The disk of the database is full. (service_unavailable)\n',
    code: 1,
  });
  expect(link.requests).toHaveLength(1);
});

it('An export and a list wait for the rate limit', async () => {
  const variables = await limitedLink();
  for (let count = 0; count < quota; count += 1) await fetch(`${variables.PETSTORE_URL}/pets`);
  const list = await run(['list', '--limit', '1', '--json'], { variables });
  expect([list.code, list.stderr]).toEqual([0, expect.stringMatching(/^(Waiting 1 s for the rate limit\n)?$/)]);
  for (let count = 0; count < quota; count += 1) await fetch(`${variables.PETSTORE_URL}/pets`);
  expect(await run(['export', 'limited-export.csv', '--json'], { variables })).toMatchObject({ code: 0 });
});

it('An import that is stopped while it waits continues with the next run', async () => {
  const categoryId = newCategory();
  const variables = await limitedLink();
  const child = start(['import', file('stopped.csv', csvOf(categoryId, names)), '--json'], variables);
  const ended = finish(child);
  await once(child.stderr ?? child, 'data');
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  expect([code, stdout]).toEqual([130, expect.stringMatching(/"rejected":0,"remaining":\d+,"isComplete":false\}\n$/)]);
  expect(await run(['import', 'stopped.csv'], { variables })).toMatchObject({ code: 0 });
  expect(await storedNames(categoryId)).toEqual(names.toSorted());
});
