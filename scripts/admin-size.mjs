import { readFileSync, statSync } from 'node:fs';
import { fromRoot } from './workspace.mjs';

/** What the admin loads until the list shows its rows, signing in included: named as its build names them. */
const parts = ['index.html', 'src/app/start.tsx', 'src/features/sign-in/sign-in.tsx'];

/** In kB, by gzip. */
const budgets = { js: 190, css: 18 };

/** The files behind the parts of a manifest of Vite's, each once: with all that they import, and all style sheets. */
export function filesOf(manifest, names) {
  const files = new Set(Object.values(manifest).flatMap(({ file }) => (file.endsWith('.css') ? [file] : [])));
  const add = (name) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The build of the admin has no part ${name}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of names) add(name);
  return [...files];
}

function check() {
  const folder = fromRoot('apps/admin/dist');
  const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'));
  const files = filesOf(manifest, parts);
  for (const [type, budget] of Object.entries(budgets)) {
    const bytes = files
      .filter((file) => file.endsWith(`.${type}`))
      .map((file) => statSync(`${folder}/${file}.gz`).size);
    const size = bytes.reduce((sum, part) => sum + part, 0) / 1000;
    const isFine = size > 0 && size <= budget;
    console.log(`${isFine ? 'ok' : 'TOO MUCH'}: ${size.toFixed(1)} kB of ${type}, ${budget} are allowed`);
    if (!isFine) process.exitCode = 1;
  }
}

if (process.argv[1] === import.meta.filename) check();
