import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import staticFiles from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../process/package-folder.js';
import type { FeatureDocs } from './openapi-document.js';
import { serveOpenApi } from './openapi-routes.js';

const page = join(packageFolder, 'static/docs');
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const pageFiles = [
  'accessible-names.js',
  'exact-responses.js',
  'init.js',
  'layout.js',
  'session-key.js',
  'theme.css',
  'theme.js',
];
const open = { config: { public: true } };

/** Serves Swagger UI at /docs, and the OpenAPI document. */
export async function serveDocs(app: NestFastifyApplication, config: Config, features: FeatureDocs[]): Promise<void> {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  await fastify.register(staticFiles, { root: [page, swaggerUi], serve: false, cacheControl: false });
  const file = (url: string, name: string) => {
    fastify.get(url, open, (_request, reply) => reply.header('Cache-Control', 'no-cache').sendFile(name));
  };
  file('/docs', 'index.html');
  for (const name of [...pageFiles, 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) {
    file(`/docs/${name}`, name);
  }
  serveOpenApi(app, config, features);
}
