import type { INestApplication } from '@nestjs/common';
import { int64 } from '@petstore/contracts';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Config } from '../../config/config.js';
import { apiPath } from '../paths.js';
import { apiErrors, apiHeaders, apiParameters, ErrorDto, errorRefs } from './api-responses.js';

/** The name of the API key in the document. Swagger UI uses it too (static/docs/page.js). */
const securityScheme = 'apiKey';

/** What holds for every operation, in Markdown. */
const introduction = `## Authentication

Send an API key with every request: \`Authorization: Bearer <API_KEY>\`. The operator of the service creates keys with
\`npm run keys -- create\`. The scope \`read\` of a key lists and gets, \`write\` creates.

## Errors

Every error has a code for programs and a message for people:

\`\`\`json
{ "code": "invalid_query", "message": "\`limit\` must be an integer between 1 and 100, in plain digits.", "status": 400 }
\`\`\`

After a connection error or one of the statuses 409, 429, 502, 503 and 504, try again: after \`Retry-After\` seconds, or with
increasing delays. You can repeat a GET at any time. Repeat a create only with the \`Idempotency-Key\` of its first attempt, within 24 hours.
Quote the \`X-Request-Id\` of the response when you report a problem.

## Exact integers

\`id\` and \`categoryId\` are int64: JSON integers from ${int64.min} to ${int64.max}. JavaScript's \`JSON.parse\`, and thus many
generated TypeScript clients, round them beyond 2^53 (9007199254740992). \`@petstore/client\` returns every digit.`;

/** What the decorators of controllers and DTOs cannot state. */
export interface ApiDocs {
  description: string;
  tag: { name: string; description: string };
  /** The schemas are those without a DTO class, and additions to those of DTO classes. */
  components: Required<Pick<NonNullable<OpenAPIObject['components']>, 'headers' | 'responses' | 'schemas'>>;
  /** The error responses of each operation, by status, in addition to those of every one. */
  errors: Readonly<Record<string, Readonly<Record<number, string>>>>;
}

/** The OpenAPI 3.1 document, generated from the code. */
export function openApiDocument(app: INestApplication, config: Config, docs: ApiDocs): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, builder(config, docs).build(), { extraModels: [ErrorDto] });
  const { schemas: ofClasses = {}, ...components } = document.components ?? {};
  const schemas = { ...ofClasses };
  for (const [name, schema] of Object.entries(docs.components.schemas)) schemas[name] = { ...schemas[name], ...schema };
  const headers = { ...apiHeaders, ...docs.components.headers };
  const responses = { ...apiErrors, ...docs.components.responses };
  const { openapi, info, servers, tags, security, paths, ...others } = document;
  return adjustNodes({
    openapi,
    info: { ...info, contact: { name: 'The operator of this service' } },
    servers,
    tags,
    security,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path.replace(apiPath, ''), complete(item as Operations, docs)]),
    ),
    ...others,
    components: { ...components, parameters: apiParameters, headers, responses, schemas },
  }) as OpenAPIObject;
}

function builder({ publicBaseUrl, stagingBaseUrl }: Config, { description, tag }: ApiDocs): DocumentBuilder {
  const document = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Petstore')
    .setDescription(`${description}\n\n${introduction}`)
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addSecurity(securityScheme, {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of the store, usually `psk_` and 43 characters.',
    })
    // For all operations, without scopes: importers of Postman lose the key if an operation has its own requirement.
    .addSecurityRequirements(securityScheme)
    .addTag(tag.name, tag.description);
  if (publicBaseUrl) document.addServer(publicBaseUrl, 'Production');
  if (stagingBaseUrl) document.addServer(stagingBaseUrl, 'Staging');
  if (!publicBaseUrl && !stagingBaseUrl) document.addServer(apiPath, 'This service');
  return document;
}

type Operations = Readonly<Record<string, NonNullable<OpenAPIObject['paths'][string]['get']>>>;

/** Adds what every operation of a path has: the common parameters, as the last ones, and error responses. */
function complete(operations: Operations, { errors }: ApiDocs): Operations {
  const common = Object.keys(apiParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const completed = Object.entries(operations).map(([method, operation]) => {
    const { operationId = '', parameters = [], responses, deprecated = false } = operation;
    const refs = errorRefs(errors[operationId] ?? {}, deprecated);
    return [method, { ...operation, parameters: [...parameters, ...common], responses: { ...responses, ...refs } }];
  });
  return Object.fromEntries(completed) as Operations;
}

type Node = Readonly<Record<string, unknown>>;

/** Adjusts what Nest generates, in every object of the document. */
function adjustNodes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(adjustNodes);
  if (!isNode(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, adjustNodes(value)]));
  return withInt64Bounds(withParameterExample(withoutAllOf(copy)));
}

/** Nest wraps a reference to an enum in `allOf`. */
function withoutAllOf({ allOf, ...others }: Node): Node {
  if (!Array.isArray(allOf)) return others;
  return allOf.length === 1 ? { ...(allOf[0] as Node), ...others } : { allOf, ...others };
}

/** Nest moves the example of a parameter into its schema. */
function withParameterExample(node: Node): Node {
  const { in: place, schema } = node;
  if (place === undefined || !isNode(schema) || schema['example'] === undefined) return node;
  const { example, ...rest } = schema;
  return { ...node, schema: rest, example };
}

/** The bounds are of type `bigint`, because a `number` would round them. */
function withInt64Bounds(node: Node): Node {
  return node['format'] === 'int64' ? { minimum: int64.min, maximum: int64.max, ...node } : node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
