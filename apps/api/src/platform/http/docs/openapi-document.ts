import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { int64, listLimits } from '@petstore/contracts';
import type { Config } from '../../config/config.js';
import { ErrorDto } from './api-errors.js';
import { apiHeaders } from './api-headers.js';

const description = `Keeps the animals of a store: list them, add one, fetch one.

Every operation needs an API key: \`Authorization: Bearer <API_KEY>\`. Identifiers are int64 and travel as JSON
integers with every digit; read them with a parser that keeps integers beyond 2^53 exact.`;

/** The OpenAPI 3.1 document, from the code: decorators for what Nest can say, the rest here. */
export function openApiDocument(app: INestApplication, config: Config): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, builder(config).build(), { extraModels: [ErrorDto] });
  const { schemas = {}, ...components } = document.components ?? {};
  const { contact: _empty, ...info } = document.info;
  const pets = {
    type: 'array',
    description: 'One page of animals.',
    maxItems: listLimits.max,
    items: { $ref: '#/components/schemas/Pet' },
  };
  const whole = {
    ...document,
    info,
    paths: Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [path.replace(/^\/v1/, ''), item])),
    components: {
      ...components,
      headers: apiHeaders,
      schemas: { ...schemas, NewPet: { ...schemas['NewPet'], additionalProperties: false }, Pets: pets },
    },
  };
  return withInt64Bounds(whole) as OpenAPIObject;
}

function builder({ publicBaseUrl, stagingBaseUrl }: Config): DocumentBuilder {
  const document = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Petstore')
    .setDescription(description)
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addTag('animals', 'The animals of the store.')
    .addSecurity('apiKey', { type: 'http', scheme: 'bearer', description: 'An API key of the store.' })
    .addSecurityRequirements('apiKey');
  if (publicBaseUrl) document.addServer(publicBaseUrl, 'Production');
  if (stagingBaseUrl) document.addServer(stagingBaseUrl, 'Staging');
  if (!publicBaseUrl && !stagingBaseUrl) document.addServer('/v1', 'This service');
  return document;
}

/** Gives every int64 its bounds with all their digits: as `bigint`, since a `number` would round them. */
function withInt64Bounds(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withInt64Bounds);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withInt64Bounds(value)]));
  return copy['format'] === 'int64' ? { minimum: int64.min, maximum: int64.max, ...copy } : copy;
}
