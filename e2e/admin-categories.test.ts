import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { violations, violationsInAllLooks } from './support/accessibility.js';
import { AddForm, isFocused } from './support/add-form.js';
import { openPage } from './support/page.js';
import { Store } from './support/store.js';

const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Category' });
const button = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true });

describe('in a store with many categories', () => {
  let store: Store;
  let page: Page;
  // More than 8 names: the form then has a list to search.
  const names = ['Dogs', 'Cats and dogs', 'Cats', 'Rabbits', 'Rats', 'Ångström fish', 'Box 12', 'Ducks', 'Yaks'];

  beforeAll(async () => {
    store = await Store.open('9007199254740993,Big cats', ...names.map((text, index) => `${index + 1},${text}`));
    await store.add({ name: 'Leo', categoryId: 9007199254740993n });
    await store.add({ name: 'Flop', categoryId: 4n });
    await store.add({ name: 'Nemo', categoryId: 50n });
    ({ page } = await store.visit('/pets'));
  });

  it('their names replace the numbers in the list and the record, and lead to the animals of the exact number', async () => {
    await page.getByRole('cell', { name: 'Big cats' }).waitFor();
    await page.getByRole('link', { name: 'Leo' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Big cats' }).waitFor();
    await page.goto(store.url('/overview'));
    await page.getByRole('link', { name: 'Big cats', exact: true }).click();
    await page.getByRole('link', { name: 'Leo' }).waitFor();
    expect(new URL(page.url()).search).toBe('?category=9007199254740993');
  });

  it('a key that may only read never sees the form or the buttons that open it', async () => {
    const readKey = await store.newKey('read');
    const { page: other } = await openPage(store.browser);
    await other.goto(store.url(`/pets?order=asc#key=${readKey}`));
    await other.getByRole('link', { name: 'Flop' }).click();
    await button(other, 'Copy link').waitFor();
    for (const path of ['/pets/new', '/import']) {
      await other.goto(store.url(path));
      await other.getByText("You don't have permission to add animals").waitFor();
      expect([await name(other).count(), await other.getByRole('link', { name: /^Add/ }).count()]).toEqual([0, 0]);
      expect(await violations(other)).toEqual([]);
    }
    await other.close();
  });

  describe('the field of the form', () => {
    beforeAll(async () => {
      await page.goto(store.url('/pets/new'));
      await field(page).waitFor();
    });
    beforeEach(() => field(page).fill(''));

    /** Types a text like a person, with the name of an animal that the store does not have in any case. */
    async function typeCategory(typed: string): Promise<string> {
      const animal = `Typed ${await store.count()} ${typed.trim()}`;
      await name(page).fill(animal);
      await field(page).click();
      await page.keyboard.type(typed);
      return animal;
    }

    /** A category without a name has no animals here. */
    async function expectAdded(animal: string, id: bigint, shown: string): Promise<void> {
      if (/^\d+$/.test(shown)) await button(page, 'Add it anyway').click();
      await expect.poll(() => store.newest()).toMatchObject({ name: animal, categoryId: id });
      expect(await field(page).inputValue()).toBe(shown);
    }

    it.each([
      ['CATS', 3n, 'Cats'],
      ['cats and', 2n, 'Cats and dogs'],
      ['1,000', 1000n, '1000'],
    ])('takes by Enter what %j says', async (typed, id, shown) => {
      const animal = await typeCategory(typed);
      // It may first take the category, then it adds the animal.
      await page.keyboard.press('Enter');
      if ((await name(page).inputValue()) !== '') await page.keyboard.press('Enter');
      await expectAdded(animal, id, shown);
    });

    it.each([
      ['rab', 4n, 'Rabbits'],
      ['42', 42n, '42'],
    ])('takes by Tab what %j says', async (typed, id, shown) => {
      const animal = await typeCategory(typed);
      if (typed === 'rab') expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Tab');
      expect(await field(page).inputValue()).toBe(shown);
      await button(page, 'Add animal').click();
      await expectAdded(animal, id, shown);
    });

    it.each(['Ca', 'dogs and cats'])('takes nothing for %j, which is no category', async (typed) => {
      const before = await store.count();
      await typeCategory(typed);
      await page.keyboard.press('Enter');
      await page.getByText(`No category is called “${typed}”`).waitFor();
      await button(page, 'Add animal').click();
      expect([await field(page).inputValue(), await store.count()]).toEqual([typed, before]);
    });

    it('lists what begins with the text first, and all categories if it has one', async () => {
      await field(page).fill('c');
      expect(await page.getByRole('option').allInnerTexts()).toEqual(['Cats and dogs', 'Cats', 'Big cats', 'Ducks']);
      await field(page).fill('rat');
      const before = await store.count();
      await name(page).fill('A rat');
      await field(page).click();
      await page.keyboard.press('Enter');
      expect([await field(page).inputValue(), await store.count()]).toEqual(['Rats', before]);
      await name(page).fill('Another rat');
      await field(page).click();
      await expect.poll(() => page.getByRole('option').count()).toBe(10);
    });

    it('opens its list by Arrow Down, and moves no other field', async () => {
      await page.setViewportSize({ width: 320, height: 900 });
      const status = page.getByRole('group', { name: 'Status' });
      await field(page).focus();
      const before = await status.boundingBox();
      await field(page).press('ArrowDown');
      await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Big cats', ...names]);
      expect(await status.boundingBox()).toEqual(before);
      expect(await violations(page)).toEqual([]);
      await page.getByRole('option', { name: 'Ducks', exact: true }).click();
      await page.getByRole('option').first().waitFor({ state: 'hidden' });
      expect(await field(page).inputValue()).toBe('Ducks');
    });
  });
});

describe('in a store with up to 8 categories, on a phone,', () => {
  let store: Store;
  let page: Page;
  let form: AddForm;
  const question = () => page.getByRole('alert');
  const radio = (label: string) => page.getByRole('radio', { name: label, exact: true });

  beforeAll(async () => {
    const others = ['10,Cats', '11,Dogs', '12,Mice', '13,Rats', '14,Guinea pigs and other rodents of the south'];
    store = await Store.open('7,Rabbits', '8,Fish', '9,Guinea pigs', ...others);
    await store.add({ name: 'Koi', categoryId: 30n });
    // The service counts the animals of categories every 10 seconds.
    const isCounted = async () =>
      expect(await (await store.service.fetch('/categories.json')).text()).toContain('"id":30');
    await vi.waitFor(isCounted, { timeout: 30_000, interval: 500 });
    ({ page } = await store.visit('/pets', { viewport: { width: 412, height: 900 }, hasTouch: true }));
  });
  beforeEach(async () => {
    await page.setViewportSize({ width: 412, height: 900 });
    form = await AddForm.open(page, store.url('/pets/new'));
  });

  async function addWithNumber(animal: string, text: string): Promise<void> {
    await form.name.fill(animal);
    await field(page).fill(text);
    await form.submit();
  }

  it('they are buttons, and the confirmation names the category', async () => {
    await form.name.fill('Hasi');
    await form.submit();
    expect([await page.getByText('Enter a category').count(), await isFocused(radio('Rabbits'))]).toEqual([1, true]);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 412, height: 900 });
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    expect(await radio('Fish').isChecked()).toBe(true);
    await form.choose('Rabbits');
    await form.submit();
    await page.getByRole('link', { name: /^Added Hasi, Rabbits, number \d+$/ }).waitFor();
    // The next animal keeps the category, and Enter adds it.
    await form.name.fill('Flop');
    await form.name.press('Enter');
    const added = page.getByRole('link', { name: /^Added Flop, Rabbits, number \d+$/ });
    await added.waitFor();
    const { x = 0, y = -1, width = 500 } = (await added.boundingBox()) ?? {};
    expect([y >= 0 && y < 900, x + width <= 412]).toEqual([true, true]);
  });

  it('a category without a name and without animals is asked about, until the answer', async () => {
    await button(page, 'Another number').click();
    await addWithNumber('Bolt', '22');
    await question().getByText('No animal is in category 22, and it has no name. Add it anyway?').waitFor();
    const { y = -1, height = 900 } = (await button(page, 'Add it anyway').boundingBox()) ?? {};
    expect([y > 0, y + height < 900]).toEqual([true, true]);
    expect(await violationsInAllLooks(page)).toEqual([]);
    // A second Enter answers nothing.
    await page.keyboard.press('Enter');
    expect([form.posted, await form.name.inputValue()]).toEqual([[], 'Bolt']);
    await button(page, 'Change the category').click();
    await expect.poll(() => isFocused(field(page))).toBe(true);
    expect(await question().count()).toBe(0);
    await addWithNumber('Bolt', '-5');
    await button(page, 'Add it anyway').click();
    // However the category is written.
    for (const [index, text] of ['-5', 'Category -5', '7', 'dogs', '30'].entries()) {
      await form.justAdded(index + 1).waitFor();
      await addWithNumber(`Bolt ${index}`, text);
    }
    await form.justAdded(6).waitFor();
    const pets = await store.sql<{ category_id: string }>(
      "SELECT category_id FROM pet WHERE name LIKE 'Bolt%' ORDER BY id",
    );
    expect(pets.map((pet) => Number(pet.category_id))).toEqual([-5, -5, -5, 7, 11, 30]);
  });

  it('a list of names in such a category is asked about once, too', async () => {
    await button(page, 'Another number').click();
    await field(page).fill('23');
    await form.name.focus();
    await page.keyboard.insertText('Ada\nEva');
    const addList = button(page, 'Add these 2 animals');
    await addList.click();
    await question().getByText('No animal is in category 23,').waitFor();
    expect(await addList.count()).toBe(0);
    await button(page, 'Change the category').click();
    await field(page).fill('24');
    await addList.click();
    // By a key: a second click at this place is ignored.
    await button(page, 'Add it anyway').press('Enter');
    await page.getByRole('main').getByText('Added 2 animals').waitFor();
    expect([await store.names(23n), await store.names(24n), await question().count()]).toEqual([[], ['Ada', 'Eva'], 0]);
  });
});
