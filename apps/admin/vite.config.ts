import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { compileAhead, inlineShell, preload } from './first-paint.js';
import { precompress } from './precompress.js';

const api = 'http://127.0.0.1:3000';

/** Two chunks for the first page: the requests, and everything else. By default, it would be eight. */
const firstPageChunks = [
  { name: 'first', test: /src\/(app\/prefetch-page|shared\/sign-in-link)\.ts$/, priority: 2 },
  { name: 'page', test: /(src\/app\/app\.tsx|react-dom\/client\.js)$/, priority: 1 },
];

export default defineConfig({
  plugins: [react(), inlineShell('src/app/shell.css'), preload('src/app/start.tsx'), compileAhead(), precompress()],
  build: {
    target: 'es2022',
    // The Content-Security-Policy forbids inline scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet, so that no chunk waits for another one.
    cssCodeSplit: false,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: firstPageChunks } } },
  },
  server: { proxy: { '/v1': api, '/docs': api, '/openapi.json': api } },
});
