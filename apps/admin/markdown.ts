import { Marked } from 'marked';
import type { Plugin } from 'vite';

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      // The page has a heading.
      if (depth === 1) return '';
      return `<h${depth} id="${idOf(text)}" tabindex="-1">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

/** Imports of Markdown files are their HTML. The browser needs no code for it. */
export function markdown(): Plugin {
  return {
    name: 'markdown',
    transform(code, id) {
      if (!id.endsWith('.md')) return undefined;
      return { code: `export default ${JSON.stringify(marked.parse(code, { async: false }))};`, map: null };
    },
  };
}

/** `What to do when…` has the id `what-to-do-when`. */
function idOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
