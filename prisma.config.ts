/** For `npm run prisma`. The service reads its own environment (docs/settings.md). */
export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
};
