import { once } from 'node:events';
import type { LinkFault } from '@petstore/test-kit/faulty-link.js';
import { expect, it } from 'vitest';
import { csvOf, file, finish, newCategory, numbered, run, start } from './support/command.js';
import { linkTo } from './support/link.js';
import { storedNames } from './support/store.js';

/** The response of the service above the rate limit. */
function limited(retryAfter: number): LinkFault {
  const body = JSON.stringify({ code: 'rate_limited', message: `Try again in ${retryAfter} s.`, status: 429 });
  return { status: 429, headers: { 'content-type': 'application/json', 'retry-after': String(retryAfter) }, body };
}

const names = numbered(25);

it('An import of more rows than the rate limit allows waits, says so, and finishes in one run', async () => {
  const categoryId = newCategory();
  let creates = 0;
  const { variables } = await linkTo(({ method }) => {
    if (method === 'POST') creates += 1;
    return creates > 10 && creates <= 20 ? limited(1) : undefined;
  });
  const name = file('limited.csv', csvOf(categoryId, names));
  const { code, stdout, stderr } = await run(['import', name], { variables });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Created: 25 /)]);
  expect(stderr).toMatch(/^(Waiting 1 s for the rate limit, \d+ of 25 done\n)+$/);
  expect(await storedNames(categoryId)).toEqual(names.toSorted());
});

it.for([['list'], ['import', '--dry-run']])('%s with --no-wait requests animals once', async (args) => {
  const name = file('compared.csv', csvOf(7n, ['Rex']));
  const { link, variables } = await linkTo(({ path }) => (path.startsWith('/v1/') ? limited(1) : undefined));
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
  for (const [args, waits] of [
    [['list', '--limit', '1', '--json'], 'Waiting 1 s for the rate limit\n'],
    [['export', 'limited-export.csv', '--json'], 'Waiting 1 s for the rate limit, 0 done\n'],
  ] as const) {
    // The client repeats a request twice, without a word.
    const { variables } = await linkTo(({ number }) => (number <= 3 ? limited(0) : undefined));
    expect(await run(args, { variables })).toMatchObject({ code: 0, stderr: waits });
  }
});

it('An import that is stopped while it waits continues with the next run', async () => {
  const categoryId = newCategory();
  let isOpen = false;
  const { variables } = await linkTo(({ method }) => (method === 'POST' && !isOpen ? limited(600) : undefined));
  const child = start(['import', file('stopped.csv', csvOf(categoryId, names)), '--json'], variables);
  const ended = finish(child);
  await once(child.stderr ?? child, 'data');
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  isOpen = true;
  expect([code, stdout]).toEqual([130, expect.stringMatching(/"rejected":0,"remaining":\d+,"isComplete":false\}\n$/)]);
  expect(await run(['import', 'stopped.csv'], { variables })).toMatchObject({ code: 0 });
  expect(await storedNames(categoryId)).toEqual(names.toSorted());
});
