const servers = String.raw`(^|/)(@nestjs|@fastify|fastify|@prisma|prisma|pg)(/|$)`;
const prisma = [String.raw`(^|/)(@prisma|prisma|pg)(/|$)`, '^apps/api/src/platform/database/generated/'];
const fastify = String.raw`(^|/)(fastify|@fastify|@nestjs/platform-fastify)(/|$)`;
const swagger = String.raw`(^|/)@nestjs/swagger(/|$)`;

/** The import rules of ARCHITECTURE.md. A rule forbids the imports that match its `from` and `to`. */
const rules = [
  {
    name: 'there are no import cycles',
    from: {},
    to: { circular: true, pathNot: '/generated/' },
  },
  {
    name: 'every import can be resolved',
    // Bun's packages are installed on demand.
    from: { pathNot: '^bench/src/peers/bun/' },
    to: { couldNotResolve: true },
  },
  {
    name: 'contracts import nothing',
    from: { path: '^packages/contracts/src/' },
    to: { pathNot: '^packages/contracts/src/' },
  },
  {
    name: 'the client and import-export run in browsers, so they import no Node modules',
    from: { path: '^packages/(client|import-export)/src/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'packages do not import apps',
    from: { path: '^packages/[^/]+/src/' },
    to: { path: '(^|/)apps/' },
  },
  {
    name: 'only embedded-postgres, migrate and processes import server libraries',
    from: { path: '^packages/[^/]+/src/', pathNot: '^packages/(embedded-postgres|migrate|processes)/' },
    to: { path: servers },
  },
  {
    name: 'embedded-postgres and migrate import no other package than contracts',
    from: { path: '^packages/(embedded-postgres|migrate)/src/' },
    to: { path: '(^|/)packages/', pathNot: '^packages/($1|contracts)/' },
  },
  {
    name: 'sources do not import tests',
    from: { path: '^(apps|packages)/[^/]+/src/' },
    to: { path: '(^|/)(test|e2e|bench|drills)/' },
  },
  {
    name: 'e2e, bench, drills and scripts do not import sources of apps',
    from: { path: '^(e2e|bench|drills|scripts)/' },
    to: { path: '^apps/[^/]+/src/' },
  },
  {
    name: 'no folder or file is named utils, helpers or common',
    from: {},
    to: { path: String.raw`/(utils?|helpers?|common)(/|\.[jt]sx?$)`, pathNot: '(^|/)node_modules/' },
  },
  {
    name: 'a feature of the API imports no other feature',
    from: { path: '^apps/api/src/features/([^/]+)/' },
    to: { path: '^apps/api/src/features/', pathNot: '^apps/api/src/features/$1/' },
  },
  {
    name: 'features and platform do not import the app',
    from: { path: '^apps/api/src/(features|platform)/' },
    to: { path: '^apps/api/src/(?!features/|platform/)' },
  },
  {
    name: 'the platform does not import features',
    from: { path: '^apps/api/src/platform/' },
    to: { path: '^apps/api/src/features/' },
  },
  {
    name: 'controllers import no repository and no database code',
    from: { path: String.raw`^apps/api/src/.*\.controller\.ts$` },
    to: { path: [String.raw`\.repository\.ts$`, '^apps/api/src/platform/database/', ...prisma] },
  },
  {
    name: 'services import no HTTP code',
    from: { path: String.raw`^apps/api/src/features/.*\.service\.ts$` },
    to: { path: [String.raw`\.(controller|dto|openapi)\.ts$`, '^apps/api/src/platform/http/', fastify, swagger] },
  },
  {
    name: 'services import no database code except their repository',
    from: { path: String.raw`^apps/api/src/features/.*\.service\.ts$` },
    to: { path: '^apps/api/src/platform/database/' },
  },
  {
    name: 'repositories import no service, controller, DTO or HTTP code',
    from: { path: String.raw`^apps/api/src/features/.*\.repository\.ts$` },
    to: {
      path: [
        String.raw`^apps/api/src/features/.*\.(service|controller|dto|openapi)\.ts$`,
        '^apps/api/src/platform/http/',
        fastify,
      ],
    },
  },
  {
    name: 'only platform/database and repositories import Prisma and pg',
    from: { path: '^apps/api/src/', pathNot: ['^apps/api/src/platform/database/', String.raw`\.repository\.ts$`] },
    to: { path: prisma },
  },
  {
    name: 'apps/admin does not import the API or its libraries',
    from: { path: '^apps/admin/' },
    to: { path: ['(^|/)apps/api/', '(^|/)prisma/', '(^|/)(@nestjs|@prisma)(/|$)'] },
  },
  {
    name: 'a feature of the admin does not import another feature',
    from: { path: '^apps/admin/src/features/([^/]+)/' },
    to: { path: '^apps/admin/src/features/', pathNot: '^apps/admin/src/features/$1/' },
  },
  {
    name: 'in the admin, features do not import app',
    from: { path: '^apps/admin/src/features/' },
    to: { path: ['^apps/admin/src/app/', String.raw`^apps/admin/src/[^/]+\.tsx?$`] },
  },
  {
    name: 'in the admin, shared imports neither app nor features',
    from: { path: '^apps/admin/src/shared/' },
    to: { path: '^apps/admin/src/', pathNot: '^apps/admin/src/shared/' },
  },
];

export default {
  forbidden: rules.map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    // Checks type imports too, which the compiler removes.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['(^|/)node_modules/', '(^|/)dist/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
