import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeyRing } from './api-key-ring.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { AuditLog } from './audit-log.js';

/** The stored keys, for the service and the command `keys`. */
@Module({
  providers: [ApiKeysService, ApiKeysRepository, AuditLog],
  exports: [ApiKeysService, ApiKeysRepository, AuditLog],
})
export class StoredKeysModule {}

/** Authenticates requests. */
@Module({
  imports: [StoredKeysModule],
  controllers: [ApiKeysController],
  providers: [ApiKeyRing, ApiKeyGuard, { provide: APP_GUARD, useExisting: ApiKeyGuard }],
  exports: [ApiKeyGuard],
})
export class ApiKeysModule {}
