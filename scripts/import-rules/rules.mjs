import { adminRules } from './admin.rules.mjs';
import { apiRules } from './api.rules.mjs';
import { packageRules } from './package.rules.mjs';

/**
 * Who may import whom (ARCHITECTURE.md). A rule forbids the imports that match its `from` and `to`, which are those of
 * dependency-cruiser; `planted` are files, path to source, that break the rule and show that it is looked at.
 */
export const rules = [
  {
    name: 'imports make no cycles',
    from: {},
    to: { circular: true, pathNot: '/generated/' },
    planted: {
      'apps/api/src/platform/planted-circle.ts': "import type { B } from './planted-circle-b.js';\nexport type A = B;",
      'apps/api/src/platform/planted-circle-b.ts': "import type { A } from './planted-circle.js';\nexport type B = A;",
    },
  },
  {
    name: 'every import is found',
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
