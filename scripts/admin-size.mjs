import { readFileSync, statSync } from 'node:fs';
import { fromRoot } from './workspace.mjs';

/** In kB, compressed with gzip. */
const budgets = { js: 232, css: 25 };

const folder = fromRoot('apps/admin/dist');
const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'));
/** What the admin loads until the list shows its rows: the entry of Vite's manifest, and its imports. */
const names = new Set(['index.html']);
// The loop also visits the names that it adds.
for (const name of names) for (const imported of manifest[name].imports ?? []) names.add(imported);
const files = [...new Set([...names].flatMap((name) => [manifest[name].file, ...(manifest[name].css ?? [])]))];
for (const [type, budget] of Object.entries(budgets)) {
  const bytes = files.filter((file) => file.endsWith(`.${type}`)).map((file) => statSync(`${folder}/${file}.gz`).size);
  const size = bytes.reduce((sum, part) => sum + part, 0) / 1000;
  const isFine = size > 0 && size <= budget;
  console.log(`${isFine ? 'ok' : 'TOO LARGE'}: ${size.toFixed(1)} kB of ${type}. The limit is ${budget} kB.`);
  if (!isFine) process.exitCode = 1;
}
