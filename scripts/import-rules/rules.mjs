import { adminRules } from './admin.rules.mjs';
import { apiRules } from './api.rules.mjs';
import { packageRules } from './package.rules.mjs';

/**
 * The import rules of ARCHITECTURE.md. A rule forbids the imports that match its `from` and `to`, in the form of
 * dependency-cruiser. `planted` maps paths to sources that break the rule: the check must report them.
 */
export const rules = [
  {
    name: 'there are no import cycles',
    from: {},
    to: { circular: true, pathNot: '/generated/' },
    planted: {
      'apps/api/src/platform/planted-circle.ts': "import type { B } from './planted-circle-b.js';\nexport type A = B;",
      'apps/api/src/platform/planted-circle-b.ts': "import type { A } from './planted-circle.js';\nexport type B = A;",
    },
  },
  {
    name: 'every import can be resolved',
    from: {},
    to: { couldNotResolve: true },
    planted: {
      'apps/api/src/platform/planted-nowhere.ts': "import { nowhere } from './nowhere.js';\nexport { nowhere };",
    },
  },
  ...packageRules,
  ...apiRules,
  ...adminRules,
];
