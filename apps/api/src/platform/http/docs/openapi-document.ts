import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Config } from '../../config/config.js';
import { apiPath } from '../request-target.js';
import { ErrorDto } from './api-errors.js';
import { adjustNodes } from './adjust-nodes.js';
import { apiHeaders } from './api-headers.js';
import { introduction } from './introduction.js';

type Components = NonNullable<OpenAPIObject['components']>;

/** What a feature adds to the document, besides the decorators of its controllers and DTOs. */
export interface FeatureDocs {
  /** One sentence about what the feature does. */
  description: string;
  /** Sections of the introduction, in Markdown, each with a heading of level 2. */
  introduction: string;
  tag: { name: string; description: string };
  /** The headers to which its responses refer. */
  headers: NonNullable<Components['headers']>;
  /** Schemas without a DTO class, and additions to the schemas of DTO classes. */
  schemas: NonNullable<Components['schemas']>;
}

/** The OpenAPI 3.1 document, generated from the code. */
export function openApiDocument(app: INestApplication, config: Config, features: FeatureDocs[]): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, builder(config, features).build(), { extraModels: [ErrorDto] });
  const { schemas: ofClasses = {}, ...components } = document.components ?? {};
  const schemas = { ...ofClasses };
  for (const [name, schema] of features.flatMap((feature) => Object.entries(feature.schemas))) {
    schemas[name] = { ...schemas[name], ...schema };
  }
  const headers = Object.assign({}, apiHeaders, ...features.map((feature) => feature.headers)) as object;
  const paths = Object.entries(document.paths).map(([path, item]) => [path.replace(apiPath, ''), item]);
  return adjustNodes({
    ...document,
    info: { ...document.info, contact: { name: 'The operator of this service' } },
    paths: Object.fromEntries(paths) as object,
    components: { ...components, headers, schemas },
  }) as OpenAPIObject;
}

function builder({ publicBaseUrl, stagingBaseUrl }: Config, features: FeatureDocs[]): DocumentBuilder {
  const document = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Petstore')
    .setDescription(
      [
        ...features.map(({ description }) => description),
        introduction,
        ...features.map((feature) => feature.introduction),
      ].join('\n\n'),
    )
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addSecurity('apiKey', {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of the store: `psk_` and 43 characters.',
    })
    .addSecurityRequirements('apiKey');
  for (const { tag } of features) document.addTag(tag.name, tag.description);
  if (publicBaseUrl) document.addServer(publicBaseUrl, 'Production');
  if (stagingBaseUrl) document.addServer(stagingBaseUrl, 'Staging');
  if (!publicBaseUrl && !stagingBaseUrl) document.addServer(apiPath, 'This service');
  return document;
}
