import type { Locator, Page } from 'playwright-core';

/** The form that adds an animal, in a store without category names. */
export class AddForm {
  /** The bodies of the POST requests. */
  readonly posted: string[] = [];
  readonly name: Locator;
  readonly category: Locator;
  /** The link to the animal that was added last. */
  readonly added: Locator;

  private constructor(private readonly page: Page) {
    this.name = page.getByRole('textbox', { name: 'Name' });
    this.category = page.getByRole('textbox', { name: 'Category number' });
    this.added = page.getByRole('link', { name: /^Added .*number \d+$/ });
    page.on('request', (request) => request.method() === 'POST' && this.posted.push(request.postData() ?? ''));
  }

  /** Opens the form, which is empty. */
  static async open(page: Page, url: string): Promise<AddForm> {
    // Away from the form, which may be writing its queue.
    await page.goto(new URL('/robots.txt', url).href);
    await page.evaluate(() =>
      ['draft', 'queue', 'pasted'].forEach((name) => sessionStorage.removeItem(`petstore.${name}`)),
    );
    await page.goto(url);
    return AddForm.on(page);
  }

  /** Waits for the form on an open page. */
  static async on(page: Page): Promise<AddForm> {
    const form = new AddForm(page);
    await form.name.waitFor();
    return form;
  }

  async enter(animal: { name: string; category: string }): Promise<void> {
    await this.name.fill(animal.name);
    await this.category.fill(animal.category);
  }

  /** Chooses a status, or a category of a few. */
  choose(label: string): Promise<void> {
    return this.page.getByText(label, { exact: true }).click();
  }

  submit(): Promise<void> {
    return this.page.getByRole('button', { name: 'Add animal' }).click();
  }

  /** The number of animals that this tab has added, above the newest animals. */
  justAdded(count: number): Locator {
    return justAdded(this.page, count);
  }
}

export function justAdded(page: Page, count: number): Locator {
  return page.getByRole('region', { name: 'Newest animals' }).getByText(`${count} just added`, { exact: true });
}

/** The links to the animals that this tab has added, newest first. */
export function addedLinks(page: Page): Locator {
  const mark = page.getByRole('img', { name: 'Just added' });
  const rows = page.getByRole('region', { name: 'Newest animals' }).getByRole('listitem').filter({ has: mark });
  return rows.getByRole('link');
}

export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === document.activeElement);
}
