import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { compileAhead, preload, shell } from './first-paint.js';
import { precompress } from './precompress.js';

const api = 'http://127.0.0.1:3000';

/** What begins to read, and all else of the first page: split by who needs what, it would be eight files. */
const firstPageInTwo = [
  { name: 'first', test: /src\/(app\/first-read|shared\/key-in-address)\.ts$/, priority: 2 },
  { name: 'page', test: /(src\/app\/app\.tsx|react-dom\/client\.js)$/, priority: 1 },
];

export default defineConfig({
  plugins: [react(), shell('src/app/shell.css'), preload('src/app/start.tsx'), compileAhead(), precompress()],
  build: {
    target: 'es2022',
    // The Content-Security-Policy lets scripts and fonts come from files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet: the page itself has it, and no part of the code waits for one of its own.
    cssCodeSplit: false,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: firstPageInTwo } } },
  },
  server: { proxy: { '/v1': api, '/docs': api, '/openapi.json': api } },
});
