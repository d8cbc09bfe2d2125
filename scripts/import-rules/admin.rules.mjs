const planted = 'apps/admin/src/features/planted';

export const adminRules = [
  {
    name: 'apps/admin does not import the API or its libraries',
    from: { path: '^apps/admin/' },
    to: { path: ['(^|/)apps/api/', '(^|/)prisma/', '(^|/)(@nestjs|@prisma)(/|$)'] },
    planted: { 'apps/admin/src/planted.ts': "export { Module } from '@nestjs/common';" },
  },
  {
    name: 'a feature of the admin does not import another feature',
    from: { path: '^apps/admin/src/features/([^/]+)/' },
    to: { path: '^apps/admin/src/features/', pathNot: '^apps/admin/src/features/$1/' },
    planted: {
      [`${planted}/planted.tsx`]: "export { other } from '../other/other.js';",
      'apps/admin/src/features/other/other.tsx': 'export const other = <b>one</b>;',
    },
  },
  {
    name: 'in the admin, features do not import app',
    from: { path: '^apps/admin/src/features/' },
    to: { path: ['^apps/admin/src/app/', String.raw`^apps/admin/src/[^/]+\.tsx?$`] },
    planted: {
      [`${planted}/planted-app.tsx`]: "export { app } from '../../app/planted.js';",
      'apps/admin/src/app/planted.tsx': 'export const app = 1;',
    },
  },
  {
    name: 'in the admin, shared imports neither app nor features',
    from: { path: '^apps/admin/src/shared/' },
    to: { path: '^apps/admin/src/', pathNot: '^apps/admin/src/shared/' },
    planted: {
      'apps/admin/src/shared/planted.ts': "export { feature } from '../features/planted/planted-feature.js';",
      [`${planted}/planted-feature.ts`]: 'export const feature = 1;',
    },
  },
];
