import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { key, Store } from '../support/store.js';

/** Downloaded on demand: it is large, and nothing else needs it. Version 13 requires Node 22. */
const lighthouse = 'lighthouse@12.8.2';
const runs = 3;
const goals = { performance: 90, accessibility: 100, 'best-practices': 100 };

let store: Store;
beforeAll(async () => {
  store = await Store.start();
  for (let number = 1; number <= 60; number += 1) await store.add({ name: `Animal ${number}`, categoryId: 7n });
});
afterAll(() => store.close());

/** Without a key, a page is the sign-in page. */
const paths = ['/', ...['/pets', '/overview', '/pets/new', '/pets/42'].map((path) => `${path}#key=${key}`)];

it.each(paths)('Lighthouse, mobile, median of three: %s', (path) => {
  const results = Array.from({ length: runs }, () => measure(path));
  const medians = Object.keys(goals).map((category) => {
    const scores = results.map((result) => Math.round((result.categories[category]?.score ?? 0) * 100));
    return [category, scores.toSorted((a, b) => a - b)[1] ?? 0] as const;
  });
  console.log(`${path}: ${medians.map(([category, score]) => `${category} ${score}`).join(', ')}`);
  for (const [category, score] of medians) {
    expect.soft(score, category).toBeGreaterThanOrEqual(goals[category as keyof typeof goals]);
  }
});

interface Result {
  categories: Record<string, { score: number }>;
}

/** The page is on loopback, which Lighthouse treats like HTTPS. */
function measure(path: string): Result {
  const { stdout, stderr } = spawnSync(
    'npx',
    [
      '--yes',
      lighthouse,
      `${store.service.url}${path}`,
      '--quiet',
      '--output=json',
      `--only-categories=${Object.keys(goals).join(',')}`,
      '--chrome-flags=--headless --no-sandbox --disable-gpu --disable-background-networking --disable-quic',
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env: { ...process.env, CHROME_PATH: inject('browserPath') } },
  );
  if (!stdout.startsWith('{')) throw new Error(`Lighthouse returned no result:\n${stderr}`);
  return JSON.parse(stdout) as Result;
}
