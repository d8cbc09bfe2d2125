import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fromRoot, packageFolders } from '../workspace.mjs';
import { findViolations } from './find-violations.mjs';
import { rules } from './rules.mjs';

const notCopied = new Set(['node_modules', '.turbo', 'reports', 'data']);

/**
 * Plants a violation of each rule in a copy of the sources. Returns the names of the rules that do not find theirs. A
 * tool that cannot read the sources, or a rule with a mistake, would otherwise pass unnoticed.
 */
export async function ineffectiveRules(folders) {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-import-rules-'));
  try {
    copySources(copy, folders);
    for (const { planted } of rules) plant(copy, planted);
    const { violations } = await findViolations(copy, [...new Set([...folders, 'apps', 'packages', 'bench'])]);
    const isFound = ({ name, planted }) => violations.some(({ rule, from }) => rule === name && from in planted);
    return rules.filter((rule) => !isFound(rule)).map(({ name }) => name);
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
