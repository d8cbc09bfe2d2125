const servers = String.raw`(^|/)(@nestjs|@fastify|fastify|@prisma|prisma|pg)(/|$)`;

export const packageRules = [
  {
    name: 'contracts import nothing',
    from: { path: '^packages/contracts/src/' },
    to: { pathNot: '^packages/contracts/src/' },
    planted: { 'packages/contracts/src/planted.ts': "export { randomUUID } from 'node:crypto';" },
  },
  {
    name: 'the client and import-export run in browsers, so they import no Node modules',
    from: { path: '^packages/(client|import-export)/src/' },
    to: { dependencyTypes: ['core'] },
    planted: { 'packages/client/src/planted-node.ts': "export { request } from 'node:http';" },
  },
  {
    name: 'packages do not import apps',
    from: { path: '^packages/[^/]+/src/' },
    to: { path: '(^|/)apps/' },
    planted: {
      'packages/migrate/src/planted.ts':
        "import type { Api } from '../../../apps/api/src/planted.js';\nexport type { Api };",
      'apps/api/src/planted.ts': 'export interface Api {}',
    },
  },
  {
    name: 'only embedded-postgres, migrate and processes import server libraries',
    from: { path: '^packages/[^/]+/src/', pathNot: '^packages/(embedded-postgres|migrate|processes)/' },
    to: { path: servers },
    planted: { 'packages/client/src/planted-server.ts': "export { Client } from 'pg';" },
  },
  {
    name: 'embedded-postgres and migrate import no other package than contracts',
    from: { path: '^packages/(embedded-postgres|migrate)/src/' },
    to: { path: '(^|/)packages/', pathNot: '^packages/($1|contracts)/' },
    planted: { 'packages/migrate/src/planted-package.ts': "export { Cleanup } from '../../processes/src/cleanup.js';" },
  },
  {
    name: 'sources do not import tests',
    from: { path: '^(apps|packages)/[^/]+/src/' },
    to: { path: '(^|/)(test|e2e|bench|drills)/' },
    planted: {
      'apps/api/src/planted-test.ts': "export { start } from '../test/planted.js';",
      'apps/api/test/planted.ts': 'export const start = 1;',
    },
  },
  {
    name: 'e2e, bench and drills do not import sources of apps',
    from: { path: '^(e2e|bench|drills)/' },
    to: { path: '^apps/[^/]+/src/' },
    planted: {
      'bench/planted.ts': "export { built } from '../apps/api/src/planted-built.js';",
      'apps/api/src/planted-built.ts': 'export const built = 1;',
    },
  },
  {
    name: 'no folder or file is named utils, helpers or common',
    from: {},
    to: { path: String.raw`/(utils?|helpers?|common)(/|\.[jt]sx?$)`, pathNot: '(^|/)node_modules/' },
    planted: {
      'apps/api/src/platform/planted-drawer.ts': "export { one } from './utils/one.js';",
      'apps/api/src/platform/utils/one.ts': 'export const one = 1;',
    },
  },
];
