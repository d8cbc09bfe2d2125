import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

import { compileAhead, dropPalettes, inlineShell, preload } from './first-paint.js';
import { markdown } from './markdown.js';
import { precompress } from './precompress.js';
import manifest from './package.json' with { type: 'json' };

/** `npm run dev` sets the address of the API. */
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';
const apiPaths = [
  '/v1',
  '/docs',
  '/openapi.json',
  '/openapi.yaml',
  '/categories.json',
  '/key.json',
  '/healthz',
  '/readyz',
];

/** Two chunks for the first page: the requests, and everything else. By default, it would be eight. */
const firstPageChunks = [
  {
    name: 'first',
    test: /src\/(app\/queries|shared\/(list-search|session|filter-search))\.ts$/,
    priority: 2,
  },
  { name: 'page', test: /(src\/app\/router\.tsx|react-dom\/client\.js)$/, priority: 1 },
];

export default defineConfig({
  define: { 'import.meta.env.PRODUCT_VERSION': JSON.stringify(manifest.version) },
  plugins: [
    react(),
    markdown(),
    dropPalettes(['pink', 'grape', 'violet', 'indigo', 'blue', 'cyan', 'teal', 'green', 'lime', 'orange']),
    inlineShell(`${import.meta.dirname}/src/app/shell.css`),
    preload('src/app/app.tsx'),
    compileAhead(),
    precompress(),
  ],
  build: {
    // index.html and docs/staff.md name them.
    target: ['chrome111', 'edge111', 'firefox115', 'safari16.4'],
    // The Content-Security-Policy forbids inline scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet, so that no chunk waits for another one.
    cssCodeSplit: false,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: firstPageChunks } } },
  },
  // It loads the code for Excel files when one is chosen.
  worker: { format: 'es' },
  // Packages of this repository are loaded from their sources: changes need no build.
  resolve: { conditions: ['@petstore/source', ...defaultClientConditions] },
  server: { proxy: Object.fromEntries(apiPaths.map((path) => [path, api])) },
});
