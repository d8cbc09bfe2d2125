import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { logLevel, port } from '../environment.js';
import { stopBySignal } from '../stop.js';
import { AppModule } from './app.module.js';

/** Nest, Express, Prisma and class-validator, as their documentation teaches. */
const app = await NestFactory.create(AppModule, { logger: logLevel === 'warn' ? ['error', 'warn'] : ['log'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
await app.listen(port, '127.0.0.1');
stopBySignal(() => app.close());
