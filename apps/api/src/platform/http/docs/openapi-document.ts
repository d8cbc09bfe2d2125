import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { int64 } from '@petstore/contracts';
import type { Config } from '../../config/config.js';
import { apiPath } from '../routing/request-target.js';
import { ErrorDto } from './api-errors.js';
import { apiHeaders } from './api-headers.js';

type Components = NonNullable<OpenAPIObject['components']>;

/** What a feature adds to the document, besides the decorators of its controllers and DTOs. */
export interface FeatureDocs {
  /** One sentence about what the feature does. */
  description: string;
  tag: { name: string; description: string };
  /** The headers to which its responses refer. */
  headers: NonNullable<Components['headers']>;
  /** Schemas without a DTO class, and additions to the schemas of DTO classes. */
  schemas: NonNullable<Components['schemas']>;
}

const description = `Every operation requires an API key: \`Authorization: Bearer <API_KEY>\`. Identifiers are int64 and
JSON integers with every digit. Use a parser that keeps integers beyond 2^53 exact.`;

/** The OpenAPI 3.1 document, generated from the code. */
export function openApiDocument(app: INestApplication, config: Config, features: FeatureDocs[]): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, builder(config, features).build(), { extraModels: [ErrorDto] });
  const { schemas: ofClasses = {}, ...components } = document.components ?? {};
  const { contact: _empty, ...info } = document.info;
  const schemas = { ...ofClasses };
  for (const [name, schema] of features.flatMap((feature) => Object.entries(feature.schemas))) {
    schemas[name] = { ...schemas[name], ...schema };
  }
  const headers = Object.assign({}, apiHeaders, ...features.map((feature) => feature.headers)) as object;
  const paths = Object.entries(document.paths).map(([path, item]) => [path.replace(apiPath, ''), item]);
  return withInt64Bounds({
    ...document,
    info,
    paths: Object.fromEntries(paths) as object,
    components: { ...components, headers, schemas },
  }) as OpenAPIObject;
}

function builder({ publicBaseUrl, stagingBaseUrl }: Config, features: FeatureDocs[]): DocumentBuilder {
  const document = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Petstore')
    .setDescription([...features.map((feature) => feature.description), description].join('\n\n'))
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addSecurity('apiKey', { type: 'http', scheme: 'bearer', description: 'An API key of the store.' })
    .addSecurityRequirements('apiKey');
  for (const { tag } of features) document.addTag(tag.name, tag.description);
  if (publicBaseUrl) document.addServer(publicBaseUrl, 'Production');
  if (stagingBaseUrl) document.addServer(stagingBaseUrl, 'Staging');
  if (!publicBaseUrl && !stagingBaseUrl) document.addServer(apiPath, 'This service');
  return document;
}

/** Adds the bounds of every int64 as `bigint`, because a `number` would round them. */
function withInt64Bounds(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withInt64Bounds);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withInt64Bounds(value)]));
  return copy['format'] === 'int64' ? { minimum: int64.min, maximum: int64.max, ...copy } : copy;
}
