// A process that migrates as a service does at its start: node migrate-process.mjs URL FOLDER.
// It says in lines of JSON what it does and what comes of it.
import { migrate } from '../dist/migrate.js';

const [, , url, directory] = process.argv;
const say = (words) => process.stdout.write(`${JSON.stringify(words)}\n`);

try {
  say({ applied: await migrate(url, { directory, log: (log) => say({ log }) }) });
} catch ({ name, message }) {
  say({ error: `${name}: ${message}` });
}
