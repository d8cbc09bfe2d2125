import { readFile } from 'node:fs/promises';
import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Has index.html show its header as soon as it is there itself: the style of the header goes into it, and the style
 * sheet, which is needed for all else, behind the header.
 */
export function shell(style: string): Plugin {
  return {
    name: 'shell',
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

/** Has the page load a module that its entry imports dynamically at once, instead of when the entry has run. */
export function preload(module: string): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
        if (!start) throw new Error(`no chunk begins at ${module}`);
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
 * Has browsers that know the hint compile the functions of all scripts while they are fetched, beside the main thread.
 * Most of them run for the first page, and compiling each when it is called took half of the time until the rows.
 */
export function compileAhead(): Plugin {
  return {
    name: 'compile-ahead',
    apply: 'build',
    generateBundle: {
      // Behind the minifier, which takes comments out.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
        }
      },
    },
  };
}
