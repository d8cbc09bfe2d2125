import { DomainError } from '../../platform/errors/domain-error.js';

export class MissingApiKey extends DomainError {
  constructor() {
    super('missing_api_key', 'An API key is required. Send it as `Authorization: Bearer <API_KEY>`.');
  }
}

export class InvalidApiKey extends DomainError {
  constructor() {
    super('invalid_api_key', 'This API key is unknown, expired or revoked.');
  }
}

export class TooManyAuthFailures extends DomainError {
  constructor(quota: number, retryAfter: number) {
    super(
      'rate_limited',
      `Too many requests with an invalid API key came from this address. Try again in ${retryAfter} s.`,
      {
        retryAfter,
        rateLimit: { name: 'auth-failures', quota, windowSeconds: 60 },
      },
    );
  }
}
