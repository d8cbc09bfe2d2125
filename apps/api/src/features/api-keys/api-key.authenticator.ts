import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { Config } from '../../platform/config/config.js';
import type { DomainError } from '../../platform/errors/domain-error.js';
import { Authenticator, type Principal } from '../../platform/http/security/access.js';
import { bearerKey } from './api-key.js';
import { ApiKeyRing } from './api-key-ring.js';
import { InvalidApiKey, MissingApiKey, TooManyAuthFailures } from './api-key.errors.js';
import { AuditLog } from './audit-log.js';
import { FailureLimiter } from './failure-limiter.js';

/** Authenticates the `Authorization` header (RFC 6750, section 2.1). */
@Injectable()
export class ApiKeyAuthenticator extends Authenticator {
  private readonly failures: FailureLimiter;

  constructor(
    private readonly ring: ApiKeyRing,
    private readonly audit: AuditLog,
    { authFailuresPerMinute }: Config,
  ) {
    super();
    this.failures = new FailureLimiter(authFailuresPerMinute);
  }

  authenticate(authorization: string | undefined): Principal | undefined {
    return authorization === undefined ? undefined : this.ring.authenticate(authorization);
  }

  /** Called only after authentication failed: a valid key always passes, however many failures its address has. */
  reject(authorization = '', address = 'unknown'): DomainError {
    if (bearerKey(authorization) === undefined) return new MissingApiKey();
    this.audit.authenticationFailed(address);
    const retryAfter = this.failures.add(network(address));
    return retryAfter === undefined ? new InvalidApiKey() : new TooManyAuthFailures(this.failures.quota, retryAfter);
  }
}

/** Clients with IPv6 have a /64 network each. Some proxies append the port. */
function network(address: string): string {
  const bare = address.replace(/^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/, '$1$2');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
