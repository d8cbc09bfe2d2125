import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../../platform/config/config.js';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { Authenticator, type Principal } from '../../platform/http/security/access.js';
import { bearerKey } from './api-key.js';
import { ApiKeyRing } from './api-key-ring.js';
import { InvalidApiKey, MissingApiKey, TooManyAuthFailures } from './api-key.errors.js';

/** Authenticates the `Authorization` header (RFC 6750, section 2.1). */
@Injectable()
export class ApiKeyAuthenticator extends Authenticator {
  private readonly failures: RateLimiterMemory;

  constructor(
    private readonly ring: ApiKeyRing,
    { authFailuresPerMinute }: Config,
  ) {
    super();
    this.failures = new RateLimiterMemory({ points: authFailuresPerMinute, duration: 60 });
  }

  authenticate(authorization: string | undefined): Principal | undefined {
    return authorization === undefined ? undefined : this.ring.recognise(authorization);
  }

  /** Called only after authentication failed: a valid key always passes, however many failures its address has. */
  async reject(authorization: string | undefined, address: string | undefined): Promise<DomainError> {
    if (bearerKey(authorization ?? '') === undefined) return new MissingApiKey();
    try {
      await this.failures.consume(network(address));
      return new InvalidApiKey();
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      return new TooManyAuthFailures(this.failures.points, Math.max(1, Math.ceil(limit.msBeforeNext / 1000)));
    }
  }
}

/** Clients with IPv6 have a /64 network each. Some proxies append the port. */
function network(address = ''): string {
  const bare = address.replace(/^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/, '$1$2');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
