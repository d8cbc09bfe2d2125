import { marked } from 'marked';
import type { Plugin } from 'vite';

/** Imports of Markdown files are HTML. The browser needs no code for it. */
export function markdown(): Plugin {
  return {
    name: 'markdown',
    transform(code, id) {
      if (!id.endsWith('.md')) return undefined;
      return { code: `export default ${JSON.stringify(marked.parse(code, { async: false }))};`, map: null };
    },
  };
}
