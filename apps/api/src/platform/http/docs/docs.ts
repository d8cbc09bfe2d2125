import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { stringifyJson } from '@petstore/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.js';
import { packageFolder } from '../../product.js';
import { apiPath } from '../paths.js';
import { publicPage, serveFiles } from '../static-files.js';
import { type FeatureDocs, openApiDocument } from './openapi-document.js';

/** The files of Swagger UI and the plugin. The build puts them here, compressed. */
const folder = join(packageFolder, 'dist/swagger-ui');

/** Makes the routes of Swagger UI public, which Nest registers without a configuration. */
function openDocs(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === '/docs' || route.url.startsWith('/docs/')) Object.assign(route, publicPage);
    // The page refers to its files from /docs.
    if (route.url === '/docs/index.html') route.onRequest = (_request, reply) => void reply.redirect('/docs');
  });
}

/** The file plugin.js of the page defines it. */
declare const petstorePlugin: object;

/** Serves Swagger UI at /docs, and the OpenAPI document. */
export function serveDocs(app: NestFastifyApplication, config: Config, features: FeatureDocs[]): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  openDocs(fastify);
  // Nest would serve them too, but not compressed.
  serveFiles(fastify, '/docs/', folder);
  // The page loads the document itself: Nest would write it with JSON.stringify, which throws for a `bigint`.
  SwaggerModule.setup('docs', app, () => ({}) as OpenAPIObject, {
    swaggerUrl: '/openapi.json',
    raw: false,
    customSwaggerUiPath: folder,
    customSiteTitle: 'Petstore API',
    customJs: '/docs/plugin.js',
    customCssUrl: '/docs/theme.css',
    swaggerOptions: {
      // Nest writes the function into a script of the page.
      plugins: [() => petstorePlugin],
      tryItOutEnabled: true,
      displayRequestDuration: true,
      syntaxHighlight: false,
      validatorUrl: null,
    },
  });
  serveOpenApi(app, config, features);
}

const openApiOptions = { config: { public: true, conditional: true } };

/** Serves the OpenAPI document at /openapi.json and /openapi.yaml. Both are generated on the first request. */
function serveOpenApi(app: NestFastifyApplication, config: Config, features: FeatureDocs[]): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let json: string | undefined;
  let yaml: string | undefined;
  const document = () => openApiDocument(app, config, features);
  fastify.get('/openapi.json', openApiOptions, (request, reply) =>
    readableAnywhere(reply)
      .type('application/json')
      .send(withServer(request, (json ??= stringifyJson(document())))),
  );
  fastify.get('/openapi.yaml', openApiOptions, async (request, reply) =>
    readableAnywhere(reply)
      .type('application/yaml')
      .send(withServer(request, (yaml ??= await toYaml(document())))),
  );
}

/**
 * Without PUBLIC_BASE_URL, the server is the address of the request: Postman and Bruno do not resolve a relative one. It is
 * replaced in the text, because writing the document again takes too long for a request without a key.
 */
function withServer({ protocol, host }: FastifyRequest, text: string): string {
  const origin = `${protocol}://${host}`;
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(origin)) return text;
  return text.replace(/(url"?: ?"?)\/v1(?=["\n])/, `$1${origin}${apiPath}`);
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
