import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../process.js';
import { readStaticFiles, serveFile } from '../static-files.js';
import type { FeatureDocs } from './openapi-document.js';
import { serveOpenApi } from './openapi-routes.js';

/** Swagger UI and its page. The build puts them here, compressed. */
const folder = join(packageFolder, 'dist/docs');

/** Serves Swagger UI at /docs, and the OpenAPI document. */
export function serveDocs(app: NestFastifyApplication, config: Config, features: FeatureDocs[]): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  for (const [name, file] of readStaticFiles(folder, () => 'no-cache')) {
    serveFile(fastify, name === 'index.html' ? '/docs' : `/docs/${name}`, file);
  }
  serveOpenApi(app, config, features);
}
