const servers = String.raw`(^|/)(@nestjs|@fastify|fastify|@prisma|prisma|pg)(/|$)`;
const prisma = [String.raw`(^|/)(@prisma|prisma|pg)(/|$)`, '^apps/api/src/platform/database/generated/'];
const fastify = String.raw`(^|/)(fastify|@fastify|@nestjs/platform-fastify)(/|$)`;
const swagger = String.raw`(^|/)@nestjs/swagger(/|$)`;
const services = String.raw`^apps/api/src/features/.*\.service\.ts$`;
const controllers = String.raw`^apps/api/src/.*\.controller\.ts$`;
const repositories = String.raw`^apps/api/src/features/.*\.repository\.ts$`;
const adminFeatures = '^apps/admin/src/features/';
const apiFeatures = '^apps/api/src/features/';

/** Forbids imports from files to files: patterns of paths, or conditions of dependency-cruiser. */
function forbid(name, from, to) {
  const toCondition = (value) => (typeof value === 'string' || Array.isArray(value) ? { path: value } : value);
  return { name, severity: 'error', from: toCondition(from), to: toCondition(to) };
}

/** The import rules of ARCHITECTURE.md. */
const rules = [
  forbid('there are no import cycles', {}, { circular: true, pathNot: '/generated/' }),
  // Bun's packages are installed on demand.
  forbid('every import can be resolved', { pathNot: '^bench/src/peers/bun/' }, { couldNotResolve: true }),
  forbid('contracts import only lossless-json', '^packages/contracts/src/', {
    pathNot: ['^packages/contracts/src/', '(^|/)lossless-json/'],
  }),
  forbid(
    'the client, table and import-export run in browsers, so they import no Node modules',
    '^packages/(client|table|import-export)/src/',
    { dependencyTypes: ['core'] },
  ),
  forbid('packages do not import apps', '^packages/[^/]+/src/', '(^|/)apps/'),
  forbid(
    'only embedded-postgres, migrate and test-kit import server libraries',
    { path: '^packages/[^/]+/src/', pathNot: '^packages/(embedded-postgres|migrate|test-kit)/' },
    servers,
  ),
  forbid(
    'embedded-postgres, migrate and table import no other package than contracts',
    '^packages/(embedded-postgres|migrate|table)/src/',
    { path: '(^|/)packages/', pathNot: '^packages/($1|contracts)/' },
  ),
  forbid('sources do not import tests', '^(apps|packages)/[^/]+/src/', '(^|/)(test|e2e|bench|drills)/'),
  forbid(
    'e2e, bench, drills and scripts do not import sources of apps',
    '^(e2e|bench|drills|scripts)/',
    '^apps/[^/]+/src/',
  ),
  forbid(
    'no folder or file is named utils, helpers or common',
    {},
    { path: String.raw`/(utils?|helpers?|common)(/|\.[jt]sx?$)`, pathNot: '(^|/)node_modules/' },
  ),
  forbid('a feature of the API imports no other feature', `${apiFeatures}([^/]+)/`, {
    path: apiFeatures,
    pathNot: `${apiFeatures}$1/`,
  }),
  forbid(
    'features and platform do not import the app',
    '^apps/api/src/(features|platform)/',
    '^apps/api/src/(?!features/|platform/)',
  ),
  forbid('the platform does not import features', '^apps/api/src/platform/', apiFeatures),
  forbid('controllers import no repository and no database code', controllers, [
    String.raw`\.repository\.ts$`,
    '^apps/api/src/platform/database/',
    ...prisma,
  ]),
  forbid('services import no HTTP code', services, [
    String.raw`\.(controller|dto|openapi)\.ts$`,
    '^apps/api/src/platform/http/',
    fastify,
    swagger,
  ]),
  forbid('services import no database code except their repository', services, '^apps/api/src/platform/database/'),
  forbid('repositories import no service, controller, DTO or HTTP code', repositories, [
    String.raw`^apps/api/src/features/.*\.(service|controller|dto|openapi)\.ts$`,
    '^apps/api/src/platform/http/',
    fastify,
  ]),
  forbid(
    'only platform/database and repositories import Prisma and pg',
    { path: '^apps/api/src/', pathNot: ['^apps/api/src/platform/database/', String.raw`\.repository\.ts$`] },
    prisma,
  ),
  forbid(
    'of the features, only the repositories of animals use the pool',
    { path: apiFeatures, pathNot: String.raw`/pets/.*\.repository\.ts$` },
    String.raw`^apps/api/src/platform/database/pool\.ts$`,
  ),
  forbid('apps/admin does not import the API or its libraries', '^apps/admin/', [
    '(^|/)apps/api/',
    '(^|/)prisma/',
    '(^|/)(@nestjs|@prisma)(/|$)',
  ]),
  forbid('a feature of the admin imports only index.ts of another feature', `${adminFeatures}([^/]+)/`, {
    path: adminFeatures,
    pathNot: [`${adminFeatures}$1/`, String.raw`/index\.ts$`],
  }),
  forbid('in the admin, features do not import app', adminFeatures, [
    '^apps/admin/src/app/',
    String.raw`^apps/admin/src/[^/]+\.tsx?$`,
  ]),
  forbid('in the admin, shared imports neither app nor features', '^apps/admin/src/shared/', {
    path: '^apps/admin/src/',
    pathNot: '^apps/admin/src/shared/',
  }),
];

export default {
  forbidden: rules,
  options: {
    // Checks type imports too, which the compiler removes.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['(^|/)node_modules/', '(^|/)dist/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@petstore/source', 'import', 'types', 'default'],
    },
  },
};
