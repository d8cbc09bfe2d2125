import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../process/package-folder.js';
import { readStaticFiles, serveFile } from '../server/static-files.js';
import { stringifyJson } from '../json/stringify-json.js';
import { type FeatureDocs, openApiDocument } from './openapi-document.js';

/** Swagger UI and its page. The build puts them here, compressed. */
const folder = join(packageFolder, 'dist/docs');
const open = { config: { public: true } };

/** Serves Swagger UI at /docs, and its document at /openapi.json. */
export function serveDocs(app: NestFastifyApplication, config: Config, features: FeatureDocs[]): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  // Generated on the first request, to keep the start short.
  let document: string | undefined;
  for (const [name, file] of readStaticFiles(folder, () => 'no-cache')) {
    serveFile(fastify, name === 'index.html' ? '/docs' : `/docs/${name}`, file);
  }
  fastify.get('/openapi.json', open, (_request, reply) =>
    reply
      .header('Cache-Control', 'no-cache')
      .type('application/json')
      .send((document ??= stringifyJson(openApiDocument(app, config, features)))),
  );
}
