import { cruise } from 'dependency-cruiser';
import { rules } from './rules.mjs';

const options = {
  validate: true,
  // Imports of types count, though the compiler drops them.
  tsPreCompilationDeps: true,
  doNotFollow: { path: ['(^|/)node_modules/', '(^|/)dist/'] },
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  ruleSet: { forbidden: rules.map(({ name, from, to }) => ({ name, severity: 'error', from, to })) },
};

/** An import names the file that the compiler writes. */
const resolveOptions = { extensionAlias: { '.js': ['.ts', '.tsx', '.js'], '.mjs': ['.mts', '.mjs'] } };

/** Reads the sources below a folder; returns how many there are and each import that breaks a rule. */
export async function judge(baseDir, folders) {
  const { output } = await cruise(folders, { ...options, baseDir }, resolveOptions);
  const violations = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  return { files: output.summary.totalCruised, violations };
}
