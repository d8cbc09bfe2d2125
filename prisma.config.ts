import { defineConfig } from 'prisma/config';

/** For the `prisma` command only: the service reads its own environment (see docs/operating.md). */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
