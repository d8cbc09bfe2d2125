import { idempotencyRetentionHours } from '@petstore/contracts';
import { DomainError } from '../../platform/errors/domain-error.js';

export class PetNotFound extends DomainError {
  constructor() {
    super('pet_not_found', 'No animal has this id.');
  }
}

export class InvalidCursor extends DomainError {
  constructor() {
    super(
      'invalid_cursor',
      '`after` is not a valid cursor for this `status` and `order`. Use the one of a Link with rel="next".',
    );
  }
}

export class IdExcludesPaging extends DomainError {
  constructor(parameter: string) {
    super('invalid_query', `\`id\` cannot be combined with \`${parameter}\`, only with \`status\`.`);
  }
}

export class InvalidIdempotencyKey extends DomainError {
  constructor() {
    super('invalid_idempotency_key', '`Idempotency-Key` must be 1 to 255 visible ASCII characters, sent once.');
  }
}

export class IdempotencyKeyReused extends DomainError {
  constructor() {
    super(
      'idempotency_key_reused',
      `This \`Idempotency-Key\` was used for a different animal in the last ${idempotencyRetentionHours} hours. Use a new one.`,
    );
  }
}

export class IdempotencyKeyInUse extends DomainError {
  constructor() {
    super('idempotency_key_in_use', 'A request with this `Idempotency-Key` is still running. Try again in 1 second.', {
      retryAfter: 1,
    });
  }
}

export class OperationGone extends DomainError {
  constructor() {
    super('gone', 'This operation was removed on 5 December 2030. Use GET /v1/pets?id={petId} instead.');
  }
}
