import { execute } from './step.mjs';
import { fromRoot } from './workspace.mjs';

const folder = fromRoot('packages/client');

/** Each packs the client as npm does, and checks the files that npm would publish. */
const linters = [
  ['publint', '--strict', '--pack', 'npm', folder],
  ['attw', '--no-color', '--config-path', `${folder}/.attw.json`, '--pack', folder],
];

for (const [name, ...args] of linters) {
  const { code, output } = await execute(fromRoot('scripts/node_modules/.bin', name), args);
  console.log(output.trim());
  if (code !== 0) process.exitCode = 1;
}
