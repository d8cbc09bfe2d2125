// A service without the API: node postgres-program.mjs DIRECTORY. It prints its URL or error as JSON. SIGTERM closes it.
import { startEmbeddedPostgres } from '../dist/embedded-postgres.js';

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2], log: () => undefined });
  process.once('SIGTERM', () => void postgres.close());
  print({ url: postgres.url });
} catch ({ name, message }) {
  print({ error: `${name}: ${message}` });
}
