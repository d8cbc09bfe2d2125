// A process that has the embedded PostgreSQL of a data folder: node postgres-process.mjs own|visit FOLDER.
// It says in lines of JSON what comes of it; SIGTERM closes it.
import {
  ownEmbeddedPostgres,
  visitEmbeddedPostgres,
} from '../../../dist/platform/database/embedded/embedded-postgres.js';

const [, , role, dataDir] = process.argv;
const say = (words) => process.stdout.write(`${JSON.stringify(words)}\n`);

try {
  const open = role === 'own' ? ownEmbeddedPostgres : visitEmbeddedPostgres;
  const postgres = await open({ dataDir, log: (log) => say({ log }) });
  process.once('SIGTERM', () => void postgres.close());
  say({ url: postgres.url });
} catch ({ name, message }) {
  say({ error: `${name}: ${message}` });
}
