import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
let id: bigint;

beforeAll(async () => {
  store = await Store.open();
  ({ id } = await store.add({ name: 'Rex', categoryId: 9223372036854775807n, status: 'pending' }));
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string): Promise<string[]> {
  ({ page, failures } = await store.visit(path));
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname + new URL(request.url()).search));
  return requested;
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const pasted = () => page.evaluate(() => (document.querySelector('textarea.paste') as HTMLTextAreaElement).value);

describe('one animal', () => {
  it('is shown with exact numbers, without the deprecated operation', async () => {
    const requested = await visit(`/pets/${id}`);
    await heading('Rex').waitFor();
    await page.getByText('9223372036854775807', { exact: true }).waitFor();
    await page.getByText('Pending').waitFor();
    expect(await page.title()).toContain('Rex');
    await page.reload();
    await heading('Rex').waitFor();
    expect(requested).toContain(`/v1/pets?id=${id}`);
    expect(requested.filter((path) => path.startsWith('/v1/pets/'))).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('appears immediately when it is opened from the list', async () => {
    await visit('/pets');
    await page.route('**/v1/pets?id=*', () => undefined);
    await page.getByRole('link', { name: 'Rex' }).click();
    await heading('Rex').waitFor();
    await page.getByText('Pending').waitFor();
    expect(failures).toEqual([]);
  });

  it.each([
    ['Copy number', () => String(id)],
    ['Copy link', () => store.url(`/pets/${id}`)],
  ])('is copied by "%s", also on plain http', async (button, expected) => {
    await visit(`/pets/${id}`);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    const copy = page.getByRole('button', { name: button });
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copied');
    await page.evaluate(() => {
      const field = Object.assign(document.createElement('textarea'), { className: 'paste' });
      document.querySelector('main')?.append(field);
      field.focus();
    });
    await page.keyboard.press('Control+V');
    expect(await pasted()).toBe(expected());
    expect(failures).toEqual([]);
  });

  it.each(['9999999', '0', '007', '9223372036854775808', 'rex', '1.5'])(
    'does not exist for number %s',
    async (number) => {
      await visit(`/pets/${number}`.replace('1.5', '1%2C5'));
      await heading('Animal not found').waitFor();
      await page.getByRole('link', { name: 'Animals' }).click();
      await heading('Animals').waitFor();
      expect(failures).toEqual([]);
    },
  );
});

it('an unknown address shows "Page not found"', async () => {
  await visit('/nowhere');
  await heading('Page not found').waitFor();
  await page.getByRole('link', { name: 'Show all animals' }).click();
  await heading('Animals').waitFor();
  expect(failures).toEqual([]);
});
