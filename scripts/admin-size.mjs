import { readFileSync, statSync } from 'node:fs';
import { fromRoot } from './workspace.mjs';

/** The entries of Vite's manifest that the admin loads until the list shows its rows, including the sign-in. */
const parts = ['index.html', 'src/app/app.tsx', 'src/features/sign-in/sign-in.tsx'];

/** In kB, compressed with gzip. */
const budgets = { js: 230, css: 25 };

const folder = fromRoot('apps/admin/dist');
const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'));
const names = new Set(parts);
// The loop also visits the names that it adds.
for (const name of names) for (const imported of manifest[name].imports ?? []) names.add(imported);
const styles = Object.keys(manifest).filter((name) => manifest[name].file.endsWith('.css'));
const files = [...new Set([...names, ...styles].map((name) => manifest[name].file))];
for (const [type, budget] of Object.entries(budgets)) {
  const bytes = files.filter((file) => file.endsWith(`.${type}`)).map((file) => statSync(`${folder}/${file}.gz`).size);
  const size = bytes.reduce((sum, part) => sum + part, 0) / 1000;
  const isFine = size > 0 && size <= budget;
  console.log(`${isFine ? 'ok' : 'TOO LARGE'}: ${size.toFixed(1)} kB of ${type}. The limit is ${budget} kB.`);
  if (!isFine) process.exitCode = 1;
}
