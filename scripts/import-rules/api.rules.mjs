const prisma = [String.raw`(^|/)(@prisma|prisma|pg)(/|$)`, '^apps/api/src/platform/database/generated/'];
const fastify = String.raw`(^|/)(fastify|@fastify|@nestjs/platform-fastify)(/|$)`;
const swagger = String.raw`(^|/)@nestjs/swagger(/|$)`;
const planted = 'apps/api/src/features/planted';

export const apiRules = [
  {
    name: 'a feature of the API imports no other feature',
    from: { path: '^apps/api/src/features/([^/]+)/' },
    to: { path: '^apps/api/src/features/', pathNot: '^apps/api/src/features/$1/' },
    planted: {
      [`${planted}/planted.rules.ts`]: "export { other } from '../other/other.rules.js';",
      'apps/api/src/features/other/other.rules.ts': 'export const other = 1;',
    },
  },
  {
    name: 'features and platform do not import the app',
    from: { path: '^apps/api/src/(features|platform)/' },
    to: { path: '^apps/api/src/(?!features/|platform/)' },
    planted: {
      [`${planted}/planted-app.ts`]: "export { app } from '../../planted-app.js';",
      'apps/api/src/planted-app.ts': 'export const app = 1;',
    },
  },
  {
    name: 'the platform does not import features',
    from: { path: '^apps/api/src/platform/' },
    to: { path: '^apps/api/src/features/' },
    planted: {
      'apps/api/src/platform/planted-feature.ts': "export { feature } from '../features/planted/planted-feature.js';",
      [`${planted}/planted-feature.ts`]: 'export const feature = 1;',
    },
  },
  {
    name: 'controllers import no repository and no database code',
    from: { path: String.raw`^apps/api/src/.*\.controller\.ts$` },
    to: { path: [String.raw`\.repository\.ts$`, '^apps/api/src/platform/database/', ...prisma] },
    planted: {
      [`${planted}/planted.controller.ts`]:
        "import { Store } from './planted.repository.js';\n@Reflect.metadata('a', 1)\nexport class A { constructor(readonly store: Store) {} }",
      [`${planted}/planted.repository.ts`]: 'export class Store {}',
    },
  },
  {
    name: 'services and errors import no HTTP code',
    from: { path: String.raw`^apps/api/src/features/.*\.(service|errors)\.ts$` },
    to: { path: [String.raw`\.(controller|dto|http|openapi)\.ts$`, '^apps/api/src/platform/http/', fastify, swagger] },
    planted: {
      [`${planted}/planted.service.ts`]:
        "import type { FastifyInstance } from 'fastify';\nexport type A = FastifyInstance;",
    },
  },
  {
    name: 'services and errors import no database code except their repository',
    from: { path: String.raw`^apps/api/src/features/.*\.(service|errors)\.ts$` },
    to: { path: '^apps/api/src/platform/database/' },
    planted: {
      [`${planted}/planted.errors.ts`]: "export { database } from '../../platform/database/planted-database.js';",
      'apps/api/src/platform/database/planted-database.ts': 'export const database = 1;',
    },
  },
  {
    name: 'repositories import no service, controller, DTO or HTTP code',
    from: { path: String.raw`^apps/api/src/features/.*\.repository\.ts$` },
    to: {
      path: [
        String.raw`^apps/api/src/features/.*\.(service|controller|dto|http|openapi)\.ts$`,
        '^apps/api/src/platform/http/',
        fastify,
      ],
    },
    planted: {
      [`${planted}/planted-again.repository.ts`]: "export const service = import('./planted-again.service.js');",
      [`${planted}/planted-again.service.ts`]: 'export const again = 1;',
    },
  },
  {
    name: 'only platform/database and repositories import Prisma and pg',
    from: { path: '^apps/api/src/', pathNot: ['^apps/api/src/platform/database/', String.raw`\.repository\.ts$`] },
    to: { path: prisma },
    planted: { 'apps/api/src/platform/planted-prisma.ts': "export { Prisma } from './database/generated/client.js';" },
  },
];
