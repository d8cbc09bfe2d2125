import { setTimeout as sleep } from 'node:timers/promises';
import { Cleanup } from '@petstore/processes/cleanup.js';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { key } from '../support/store.js';
import { DevServer } from './dev-server.js';

/** Measures `npm run dev`: the time from an edit to its effect in the browser, or in a response of the API. */
const limits = { admin: 1000, api: 3000 };
const edits = 10;
const admin = { file: 'apps/admin/src/features/pets/add-link.tsx', text: 'Add animal' };
const api = { file: 'packages/contracts/src/error.ts', text: 'This path does not exist.' };

const cleanup = new Cleanup();
let server: DevServer;
let page: Page;

beforeAll(async () => {
  server = await DevServer.start(cleanup);
  const browser = await cleanup.own(
    () => chromium.connect(inject('browserEndpoint')),
    (connected) => connected.close(),
  );
  page = await browser.newPage();
  await page.goto(server.url(`/#key=${key}`));
  await isVisible('Add animal');
  // A reload would remove the title.
  await page.evaluate(() => (document.body.title = 'not reloaded'));
}, 600_000);
afterAll(() => cleanup.run(), 60_000);

it('shows edits of the admin without a reload', async () => {
  const times = await measure(admin.file, admin.text, isVisible);
  report('admin', times, limits.admin);
  expect(await page.locator('body').getAttribute('title')).toBe('not reloaded');
});

it('serves edits of the API', async () => {
  const times = await measure(api.file, api.text, isServed);
  report('API', times, limits.api);
});

it.each([
  { program: 'admin', ...admin, broken: 'Add animal {', message: 'error', isDone: isVisible },
  { program: 'API', ...api, broken: "This path' (", message: 'The build of the API failed', isDone: isServed },
])('reports a syntax error of the $program, and recovers', async ({ program, file, text, broken, message, isDone }) => {
  const reported = server.nextOutput(message);
  server.edit(file, text, broken);
  await reported;
  await isServed(api.text);
  const start = server.edit(file, broken, `${text} again`);
  await isDone(`${text} again`);
  console.log(`${program}: served ${Math.round(performance.now() - start)} ms after the correction`);
});

it('reports a type error', async () => {
  const reported = server.nextOutput('TS2322');
  server.edit('apps/api/src/platform/http/route.ts', 'const methods =', 'const methods: number =');
  await reported;
});

/** Edits a text and undoes the edit, `edits` times in total. Returns the milliseconds until each has an effect. */
async function measure(file: string, text: string, hasEffect: (text: string) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let [current, next] = [text, `${text} now`];
  for (let count = 0; count < edits; count += 1) {
    const start = server.edit(file, current, next);
    await hasEffect(next);
    times.push(Math.round(performance.now() - start));
    [current, next] = [next, current];
  }
  return times;
}

function report(program: string, times: number[], limit: number): void {
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  console.log(`${program}: median ${median} ms of ${times.join(', ')}`);
  expect(median).toBeLessThanOrEqual(limit);
}

async function isVisible(label: string): Promise<void> {
  await page.getByRole('link', { name: label, exact: true }).waitFor();
}

/** The text begins the message, and `text` alone must not match `text now`. */
async function isServed(text: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  for (;;) {
    const body = await fetch(server.url('/v1/nowhere'), { headers })
      .then((response) => response.json() as Promise<{ message: string }>)
      .catch(() => undefined);
    if (body?.message.startsWith(`${text} See`)) return;
    await sleep(20);
  }
}
