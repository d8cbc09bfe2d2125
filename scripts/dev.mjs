import { once } from 'node:events';
import { createServer } from 'node:net';
import { serveApi } from './dev-api.mjs';
import { watchTypes } from './dev-types.mjs';
import { fromRoot, importFrom } from './workspace.mjs';

const port = Number(process.env.PORT || 3000);

/**
 * Serves the admin with Vite's hot reload on PORT, and the API behind it. Rolldown rebuilds the API after each change,
 * and tsc prints the type errors. Ctrl-C stops all of them.
 */
export async function dev() {
  const apiPort = await findFreePort();
  const { createServer: createViteServer } = await importFrom('apps/admin', 'vite');
  process.env.API_URL = `http://127.0.0.1:${apiPort}`;
  const vite = await createViteServer({
    root: fromRoot('apps/admin'),
    clearScreen: false,
    server: { port, strictPort: true },
  });
  await vite.listen();
  const types = watchTypes();
  const variables = { HOST: '127.0.0.1', PORT: String(apiPort), PUBLIC_BASE_URL: `http://localhost:${port}/v1` };
  await serveApi(variables);
  types.close();
  await vite.close();
  process.exit();
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: freePort } = server.address();
  server.close();
  return freePort;
}
