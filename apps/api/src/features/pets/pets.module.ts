import { Module } from '@nestjs/common';
import { CountMerger } from './count-merger.js';
import { IdempotencyPruner } from './idempotency-pruner.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { PetsController } from './pets.controller.js';
import { PetsRepository } from './pets.repository.js';
import { PetsService } from './pets.service.js';

@Module({
  controllers: [PetsController],
  providers: [PetsService, PetsRepository, IdempotencyRepository, IdempotencyPruner, CountMerger],
})
export class PetsModule {}
