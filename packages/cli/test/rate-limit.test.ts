import type { LinkFault } from '@petstore/test-kit/faulty-link.js';
import { expect, it } from 'vitest';
import { csvOf, file, newCategory, numbered, run } from './support/command.js';
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
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Created: 25 /) as string });
  expect(stderr).toMatch(/^(Waiting 1 s for the rate limit\n)+$/);
  expect(await storedNames(categoryId)).toEqual(names.toSorted());
});

it.for([
  ['whoami', '/key.json'],
  ['get 1', '/v1/pets'],
  ['list', '/v1/pets'],
  ['export -', '/v1/pets'],
  ['import compared.csv --dry-run', '/categories.json'],
] as const)('%s waits for the rate limit of %s and says so; with --no-wait, it fails', async ([line, limitedPath]) => {
  file('compared.csv', csvOf(newCategory(), ['Rex']));
  let isLimited = true;
  const { link, variables } = await linkTo(({ path }) => {
    if (!path.startsWith(limitedPath) || !isLimited) return undefined;
    isLimited = false;
    return limited(1);
  });
  const { stderr } = await run(line.split(' '), { variables });
  expect(stderr).toMatch(/^Waiting 1 s for the rate limit\n/);
  expect(stderr).not.toContain('rate_limited');
  isLimited = true;
  const sent = link.requests.length;
  const message = 'Error: Try again in 1 s. (rate_limited)\n';
  expect(await run([...line.split(' '), '--no-wait'], { variables })).toMatchObject({ code: 1, stderr: message });
  expect(link.requests.slice(sent).filter(({ path }) => path.startsWith(limitedPath))).toHaveLength(1);
});

it('A command fails at once when the service is unavailable for longer, for example because its disk is full', async () => {
  const body = '{"code":"service_unavailable","message":"The disk of the database is full.","status":503}';
  const { link, variables } = await linkTo(() => ({ status: 503, headers: { 'retry-after': '61' }, body }));
  expect(await run(['create', '--name', 'Rex', '--category-id', '7'], { variables })).toEqual({
    stdout: '',
    stderr: 'Error: The disk of the database is full. (service_unavailable)\n',
    code: 1,
  });
  expect(link.requests).toHaveLength(1);
});
