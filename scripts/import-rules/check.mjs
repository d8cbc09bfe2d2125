import { existsSync } from 'node:fs';
import { fromRoot } from '../workspace.mjs';
import { judge } from './judge.mjs';
import { blindRules } from './planted.mjs';

const folders = ['apps', 'packages', 'scripts', 'e2e', 'bench', 'drills'].filter((folder) =>
  existsSync(fromRoot(folder)),
);

const { files, violations } = await judge(fromRoot(), folders);
for (const { rule, from, to } of violations) console.error(`${from}\n  imports ${to}\n  against: ${rule}`);

const blind = await blindRules(folders);
for (const rule of blind) console.error(`The rule "${rule}" does not find what breaks it (planted in a copy).`);

console.log(`${files} files, ${violations.length} imports against the rules`);
process.exitCode = violations.length + blind.length > 0 ? 1 : 0;
