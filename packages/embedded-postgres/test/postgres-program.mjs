// A process that uses the embedded PostgreSQL of a data directory: node postgres-program.mjs start|attach DIRECTORY.
// It prints JSON lines. SIGTERM closes it.
import { startEmbeddedPostgres, attachEmbeddedPostgres } from '../dist/embedded-postgres.js';

const [, , role, dataDir] = process.argv;
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const open = role === 'start' ? startEmbeddedPostgres : attachEmbeddedPostgres;
  const postgres = await open({ dataDir, log: (log) => print({ log }) });
  process.once('SIGTERM', () => void postgres.close());
  print({ url: postgres.url });
} catch ({ name, message }) {
  print({ error: `${name}: ${message}` });
}
