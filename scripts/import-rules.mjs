import { existsSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import config from './dependency-cruiser.config.mjs';
import { fromRoot } from './workspace.mjs';

/** It breaks a rule. A tool that cannot read the sources would otherwise pass unnoticed. */
const planted = 'scripts/planted-violation.ts';
const all = ['apps', 'packages', 'scripts', 'e2e', 'bench', 'drills'];
const folders = all.filter((folder) => existsSync(fromRoot(folder)));
/** Imports name the compiled file. */
const resolveOptions = { extensionAlias: { '.js': ['.ts', '.tsx', '.js'], '.mjs': ['.mts', '.mjs'] } };

const { forbidden, options } = config;
const { output } = await cruise(
  folders,
  { ...options, ruleSet: { forbidden }, validate: true, baseDir: fromRoot() },
  resolveOptions,
);
const { violations, totalCruised } = output.summary;
const wrong = violations.filter(({ from }) => from !== planted);
for (const { rule, from, to } of wrong) console.error(`${from}\n  imports ${to}\n  violates: ${rule.name}`);
const isPlantedFound = violations.length > wrong.length;
if (!isPlantedFound) console.error(`The rules did not find the planted violation in ${planted}.`);
console.log(`${totalCruised} files, ${wrong.length} violations`);
process.exitCode = wrong.length === 0 && isPlantedFound ? 0 : 1;
