import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '../../config/config.js';
import { stringifyJson } from '@petstore/contracts';
import { type FeatureDocs, openApiDocument } from './openapi-document.js';

const options = { config: { public: true, conditional: true } };

/** Serves the OpenAPI document at /openapi.json and /openapi.yaml. Both are generated on the first request. */
export function serveOpenApi(app: NestFastifyApplication, config: Config, features: FeatureDocs[]): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let json: string | undefined;
  let yaml: string | undefined;
  const document = () => openApiDocument(app, config, features);
  fastify.get('/openapi.json', options, (_request, reply) =>
    readableAnywhere(reply)
      .type('application/json')
      .send((json ??= stringifyJson(document()))),
  );
  fastify.get('/openapi.yaml', options, async (_request, reply) =>
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
