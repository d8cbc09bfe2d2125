import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fromRoot, packageFolders } from '../workspace.mjs';
import { judge } from './judge.mjs';
import { rules } from './rules.mjs';

const notCopied = new Set(['node_modules', '.turbo', 'reports', 'data']);

/**
 * The names of the rules that do not see what breaks them. A tool that cannot read the sources, and a rule with a
 * mistake in it, find nothing and would pass for good order; so each rule is broken once in a copy.
 */
export async function blindRules(folders) {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-import-rules-'));
  try {
    copySources(copy, folders);
    for (const { planted } of rules) plant(copy, planted);
    const { violations } = await judge(copy, [...new Set([...folders, 'apps', 'packages', 'bench'])]);
    const seen = ({ name, planted }) => violations.some(({ rule, from }) => rule === name && from in planted);
    return rules.filter((rule) => !seen(rule)).map(({ name }) => name);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copySources(copy, folders) {
  const filter = (path) => !notCopied.has(basename(path));
  for (const folder of folders) cpSync(fromRoot(folder), join(copy, folder), { recursive: true, filter });
  for (const folder of packageFolders()) {
    const modules = fromRoot(folder, 'node_modules');
    if (existsSync(modules) && existsSync(join(copy, folder))) symlinkSync(modules, join(copy, folder, 'node_modules'));
  }
}

function plant(copy, files) {
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), `${source}\n`);
  }
}
