import { cruise } from 'dependency-cruiser';
import { rules } from './rules.mjs';

const options = {
  validate: true,
  // Checks type imports too, which the compiler removes.
  tsPreCompilationDeps: true,
  doNotFollow: { path: ['(^|/)node_modules/', '(^|/)dist/'] },
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  ruleSet: { forbidden: rules.map(({ name, from, to }) => ({ name, severity: 'error', from, to })) },
};

/** Imports name the compiled file. */
const resolveOptions = { extensionAlias: { '.js': ['.ts', '.tsx', '.js'], '.mjs': ['.mts', '.mjs'] } };

/** Returns the number of sources below the folders, and each import that violates a rule. */
export async function findViolations(baseDir, folders) {
  const { output } = await cruise(folders, { ...options, baseDir }, resolveOptions);
  const violations = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  return { files: output.summary.totalCruised, violations };
}
