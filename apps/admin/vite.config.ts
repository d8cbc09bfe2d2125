import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

import { markdown } from './markdown.js';
import manifest from './package.json' with { type: 'json' };

/** `npm run dev` sets the address of the API. */
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';
const apiPaths = ['/v1', '/docs', '/openapi.json', '/categories.json', '/key.json', '/healthz', '/readyz'];

const startMs = 30_000;

/** Connects again while the API starts or restarts: Vite's proxy would respond 502. */
async function waitForApi(): Promise<void> {
  const { hostname, port } = new URL(api);
  for (const begin = Date.now(); Date.now() - begin < startMs; await sleep(50)) {
    const socket = connect(Number(port), hostname);
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return;
  }
}

export default defineConfig({
  define: { 'import.meta.env.PRODUCT_VERSION': JSON.stringify(manifest.version) },
  // A brotli and a gzip copy of each file: the server compresses nothing.
  plugins: [react(), markdown(), compression()],
  build: {
    // index.html and docs/staff.md name them.
    target: ['chrome111', 'edge111', 'firefox115', 'safari16.4'],
    // The Content-Security-Policy forbids inline scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  // It loads the code for Excel files when one is chosen.
  worker: { format: 'es' },
  // Packages of this repository are loaded from their sources: changes need no build.
  resolve: { conditions: ['@petstore/source', ...defaultClientConditions] },
  server: { proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: api, bypass: waitForApi }])) },
});
