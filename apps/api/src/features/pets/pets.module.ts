import { Module } from '@nestjs/common';
import { IdempotencyPruning } from './idempotency-pruning.js';
import { PetListRepository } from './pet-list.repository.js';
import { PetsController } from './pets.controller.js';
import { PetsRepository } from './pets.repository.js';
import { PetsService } from './pets.service.js';

@Module({
  controllers: [PetsController],
  providers: [PetsService, PetsRepository, PetListRepository, IdempotencyPruning],
})
export class PetsModule {}
