import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule, featureDocs } from '../app.module.js';
import { Clock } from '../platform/clock.js';
import { readConfig } from '../platform/config/config.js';
import { Connections } from '../platform/http/connections.js';
import { httpLimits } from '../platform/http/limits.js';
import { openApiDocument } from '../platform/http/docs/openapi-document.js';
import { createLogger } from '../platform/logging/logger.js';
import { stringifyJson } from '@petstore/contracts';

/** Writes the openapi.json of a service with the default configuration. */
export async function writeOpenApi(path: string): Promise<void> {
  const config = readConfig({});
  const logger = createLogger({ logLevel: 'silent' });
  const connections = new Connections(httpLimits, logger);
  const options = { config, databaseUrl: '', logger, clock: new Clock(), connections };
  const app = await NestFactory.create(AppModule.register(options), new FastifyAdapter(), {
    preview: true,
    logger: false,
    // Nest would end the process without an error message.
    abortOnError: false,
  });
  await writeFile(path, `${stringifyJson(openApiDocument(app, config, featureDocs), '  ')}\n`);
  await app.close();
}
