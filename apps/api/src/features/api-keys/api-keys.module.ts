import { Module } from '@nestjs/common';
import { Authenticator } from '../../platform/http/access.js';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeyRing } from './api-key-ring.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { AuditLog } from './audit-log.js';

@Module({
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ApiKeysRepository,
    ApiKeyRing,
    AuditLog,
    { provide: Authenticator, useClass: ApiKeyAuthenticator },
  ],
  exports: [Authenticator, ApiKeysService],
})
export class ApiKeysModule {}
