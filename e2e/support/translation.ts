import type { Page } from 'playwright-core';

/**
 * Replaces each text of the page by `font` elements as soon as it appears, as the translation of Chrome does. React then
 * cannot find its text again: it throws if it removes that text, and its changes of that text stay invisible.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const untranslated = 'script, style, title, textarea, svg, [translate=no], font';
    const newFont = () => document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
    const replaced = new Map<Node, Element>();
    const observer = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === 'childList') addedNodes.forEach(translate);
        else if (!replaced.has(target)) translate(target);
      }
    });
    const translate = (node: Node) => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const found: Text[] = node instanceof Text ? [node] : [];
      while (texts.nextNode()) found.push(texts.currentNode as Text);
      for (const text of found) {
        if (!text.isConnected || text.data.trim() === '' || text.parentElement?.closest(untranslated)) continue;
        const [font, inner] = [newFont(), newFont()];
        font.append(inner);
        inner.append(text.data);
        text.replaceWith(font);
        replaced.set(text, font);
      }
    };
    observer.observe(document, { childList: true, characterData: true, subtree: true });
    // A text that React has changed after it was replaced: the page still shows the old one.
    const outdated = () =>
      [...replaced]
        .filter(([text, font]) => font.isConnected && text.textContent !== font.textContent)
        .map(([text, font]) => `“${font.textContent}” is now “${text.textContent}”`);
    Object.assign(globalThis, { outdated });
  });
}

/** The texts that the translated page shows although they have changed. */
export function outdatedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { outdated: () => string[] }).outdated());
}
