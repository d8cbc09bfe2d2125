import { existsSync } from 'node:fs';
import { fromRoot } from '../workspace.mjs';
import { findViolations } from './find-violations.mjs';
import { ineffectiveRules } from './planted.mjs';

const folders = ['apps', 'packages', 'scripts', 'e2e', 'bench', 'drills'].filter((folder) =>
  existsSync(fromRoot(folder)),
);

const { files, violations } = await findViolations(fromRoot(), folders);
for (const { rule, from, to } of violations) console.error(`${from}\n  imports ${to}\n  violates: ${rule}`);

const ineffective = await ineffectiveRules(folders);
for (const rule of ineffective) console.error(`The rule "${rule}" did not find its planted violation.`);

console.log(`${files} files, ${violations.length} violations`);
process.exitCode = violations.length + ineffective.length > 0 ? 1 : 0;
