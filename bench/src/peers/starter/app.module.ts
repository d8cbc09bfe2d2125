import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';
import { PrismaService } from './prisma.service.js';

@Module({
  controllers: [PetsController],
  providers: [PetsService, PrismaService, { provide: APP_GUARD, useClass: ApiKeyGuard }],
})
export class AppModule {}
