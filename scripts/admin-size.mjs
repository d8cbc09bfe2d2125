import { readFileSync, statSync } from 'node:fs';
import { fromRoot } from './workspace.mjs';

/** The entries of Vite's manifest that the admin loads until the list shows its rows, including the sign-in. */
const parts = ['index.html', 'src/app/app.tsx', 'src/features/sign-in/sign-in.tsx'];

/** In kB, compressed with gzip. */
const budgets = { js: 175, css: 18 };

/** Returns the files of these entries in Vite's manifest, the files that they import, and all style sheets. */
function filesOf(manifest, names) {
  const files = new Set(Object.values(manifest).flatMap(({ file }) => (file.endsWith('.css') ? [file] : [])));
  const add = (name) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`Vite's manifest has no entry ${name}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of names) add(name);
  return [...files];
}

const folder = fromRoot('apps/admin/dist');
const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'));
const files = filesOf(manifest, parts);
for (const [type, budget] of Object.entries(budgets)) {
  const bytes = files.filter((file) => file.endsWith(`.${type}`)).map((file) => statSync(`${folder}/${file}.gz`).size);
  const size = bytes.reduce((sum, part) => sum + part, 0) / 1000;
  const isFine = size > 0 && size <= budget;
  console.log(`${isFine ? 'ok' : 'TOO LARGE'}: ${size.toFixed(1)} kB of ${type}. The limit is ${budget} kB.`);
  if (!isFine) process.exitCode = 1;
}
