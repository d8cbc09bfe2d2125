import { readFile } from 'node:fs/promises';
import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Inlines the styles of the header into index.html and loads the style sheet after it: the header appears at once. */
export function inlineShell(style: string): Plugin {
  return {
    name: 'inline-shell',
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const [link = ''] = /^ *<link rel="stylesheet".*\n/m.exec(html) ?? [];
        const tags: HtmlTagDescriptor[] = [
          { tag: 'style', children: await readFile(style, 'utf8'), injectTo: 'head-prepend' },
        ];
        return { html: html.replace(link, '').replace(/(?=^ *<div id="root">)/m, link), tags };
      },
    },
  };
}

/** Preloads a module that the entry imports dynamically, before the entry has run. */
export function preload(module: string): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
        if (!start) throw new Error(`No chunk starts at ${module}`);
        const files = [start.fileName, ...start.imports].filter((name) => !html.includes(name));
        return files.map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}

/**
 * Asks the browser to compile all functions while it downloads the scripts. Most of them run for the first page:
 * compiling each at its first call took half of the time until the rows.
 */
export function compileAhead(): Plugin {
  return {
    name: 'compile-ahead',
    apply: 'build',
    generateBundle: {
      // After the minifier, which removes comments.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
        }
      },
    },
  };
}

/** Removes the palettes of Mantine that the admin does not use: a fifth of the style sheet. */
export function dropPalettes(names: readonly string[]): Plugin {
  const variables = new RegExp(`^ *--mantine-color-(?:${names.join('|')})-[^:]*:[^;]*;`, 'gm');
  return {
    name: 'drop-palettes',
    enforce: 'pre',
    transform(code, id) {
      return id.endsWith('/default-css-variables.css')
        ? { code: code.replaceAll(variables, ''), map: null }
        : undefined;
    },
  };
}
