// Migrates a database as the start of a service does: node migrate-program.mjs URL DIRECTORY.
// Writes each log message and the result as a line of JSON.
import { migrate } from '../dist/migrate.js';

const [, , url, directory] = process.argv;
const print = (lines) => process.stdout.write(`${JSON.stringify(lines)}\n`);

try {
  print({ applied: await migrate(url, { directory, log: (log) => print({ log }) }) });
} catch ({ name, message }) {
  print({ error: `${name}: ${message}` });
}
