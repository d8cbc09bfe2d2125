import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { stringifyJson } from '@petstore/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../product.js';
import { apiPath } from '../paths.js';
import { serveFolder } from '../static-files.js';
import { type ApiDocs, openApiDocument } from './openapi-document.js';

/** The page and the files of Swagger UI. The build puts them here, compressed. */
const folder = join(packageFolder, 'dist/swagger-ui');

/** Serves Swagger UI at /docs, and the OpenAPI document at /openapi.json, which is generated on the first request. */
export function serveDocs(app: NestFastifyApplication, config: Config, docs: ApiDocs): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  serveFolder(fastify, '/docs', folder);
  let json: string | undefined;
  fastify.get('/openapi.json', { config: { public: true, conditional: true } }, (request, reply) =>
    reply
      // Pages of every origin may read it: it is public, and tools such as editors load it.
      .headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' })
      .type('application/json')
      .send(withServer(request, (json ??= stringifyJson(openApiDocument(app, config, docs))))),
  );
}

/**
 * Without PUBLIC_BASE_URL, the server is the address of the request: Postman and Bruno do not resolve a relative one. It is
 * replaced in the text, because writing the document again takes too long for a request without a key.
 */
function withServer({ protocol, host }: FastifyRequest, json: string): string {
  const origin = `${protocol}://${host}`;
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(origin)) return json;
  return json.replace(`"url":"${apiPath}"`, `"url":"${origin}${apiPath}"`);
}
