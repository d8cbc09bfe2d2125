import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { stringifyJson } from '@petstore/contracts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../process.js';
import { readStaticFiles, serveFile } from '../static-files.js';
import { type FeatureDocs, openApiDocument } from './openapi-document.js';

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

const openApiOptions = { config: { public: true, conditional: true } };

/** Serves the OpenAPI document at /openapi.json and /openapi.yaml. Both are generated on the first request. */
function serveOpenApi(app: NestFastifyApplication, config: Config, features: FeatureDocs[]): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let json: string | undefined;
  let yaml: string | undefined;
  const document = () => openApiDocument(app, config, features);
  fastify.get('/openapi.json', openApiOptions, (_request, reply) =>
    readableAnywhere(reply)
      .type('application/json')
      .send((json ??= stringifyJson(document()))),
  );
  fastify.get('/openapi.yaml', openApiOptions, async (_request, reply) =>
    readableAnywhere(reply)
      .type('application/yaml')
      .send((yaml ??= await toYaml(document()))),
  );
}

/** Pages of every origin may read the document: it is public, and tools such as editors load it. */
function readableAnywhere(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' });
}

/** Loads the library on the first use, to keep the start short. It writes every digit of a `bigint`. */
async function toYaml(document: object): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false });
}
