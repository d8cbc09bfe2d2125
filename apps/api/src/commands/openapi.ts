import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { AppModule, featureDocs } from '../app.module.js';
import { Clock } from '../platform/clock.js';
import { readConfig } from '../platform/config/config.js';
import { createFastifyAdapter } from '../platform/http/server/fastify-adapter.js';
import { openApiDocument } from '../platform/http/docs/openapi-document.js';
import { createLogger } from '../platform/logging/logger.js';
import { stringifyJson } from '@petstore/contracts';

/** Writes the openapi.json of a service with the default configuration. */
export async function writeOpenApi(path: string): Promise<void> {
  const config = readConfig({});
  const logger = createLogger({ logLevel: 'silent' });
  const options = { config, databaseUrl: '', logger, clock: new Clock() };
  const app = await NestFactory.create(AppModule.register(options), createFastifyAdapter(config, logger), {
    preview: true,
    logger: false,
    // Nest would end the process without an error message.
    abortOnError: false,
  });
  await writeFile(path, `${stringifyJson(openApiDocument(app, config, featureDocs), '  ')}\n`);
  await app.close();
}
