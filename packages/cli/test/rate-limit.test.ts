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

it('A rate limit stops a command at once with --no-wait', async () => {
  const categoryId = newCategory();
  const variables = await limitedLink();
  const { code, stdout, stderr } = await run(['import', file('no-wait.csv', csvOf(categoryId, names)), '--no-wait'], {
    variables,
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('(rate_limited)')]);
  expect(stderr).not.toContain('Waiting');
  expect(stdout).toMatch(/^Created: \d+ \(ids \d+ to \d+\)\nRemaining: \d+\n$/);
  const created = await storedNames(categoryId);
  expect(stdout).toContain(`Created: ${created.length} `);
});

it('A list with --no-wait sends one request', async () => {
  const { link, variables } = await linkTo(() => ({ status: 429, headers: { 'retry-after': '1' } }));
  expect(await run(['list', '--no-wait'], { variables })).toMatchObject({ code: 1, stdout: '' });
  expect(link.requests).toHaveLength(1);
});

it('A command waits for a service that is unavailable for longer than the client waits, and says so', async () => {
  const busy = { status: 503, headers: { 'retry-after': '3' } };
  const { variables } = await linkTo(({ number }) => (number === 1 ? busy : undefined));
  expect(await run(['list', '--json'], { variables })).toMatchObject({
    code: 0,
    stderr: 'Waiting 3 s for the service\n',
  });
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
