import { Module } from '@nestjs/common';
import { IdempotencyRecords } from './idempotency.js';
import { PetListRepository } from './pet-list.repository.js';
import { PetsController } from './pets.controller.js';
import { PetsRepository } from './pets.repository.js';
import { PetsService } from './pets.service.js';

@Module({
  controllers: [PetsController],
  providers: [PetsService, PetsRepository, PetListRepository, IdempotencyRecords],
})
export class PetsModule {}
