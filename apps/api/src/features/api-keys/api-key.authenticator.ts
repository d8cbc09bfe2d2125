import { hash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Authenticator, type Principal } from '../../platform/http/access.js';
import { bearerKey } from './api-key.js';
import { ApiKeyRing } from './api-key-ring.js';
import { AuditLog } from './audit-log.js';

/** Authenticates the `Authorization` header (RFC 6750, section 2.1). */
@Injectable()
export class ApiKeyAuthenticator extends Authenticator {
  private readonly failures: FailureLimiter;

  constructor(
    private readonly ring: ApiKeyRing,
    private readonly audit: AuditLog,
    @Inject(CONFIG) { authFailuresPerMinute }: Config,
  ) {
    super();
    this.failures = new FailureLimiter(authFailuresPerMinute);
  }

  authenticate(authorization: string | undefined): Principal | undefined {
    return authorization === undefined ? undefined : this.ring.authenticate(authorization);
  }

  /** Called only after authentication failed: a valid key always passes, however many failures its address has. */
  reject(authorization = '', address = 'unknown'): DomainError {
    if (bearerKey(authorization) === undefined) return new DomainError('missing_api_key');
    this.audit.authenticationFailed(address);
    const retryAfter = this.failures.add(network(address));
    return retryAfter === undefined
      ? new DomainError('invalid_api_key')
      : tooManyFailures(this.failures.quota, retryAfter);
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

function tooManyFailures(quota: number, retryAfter: number): DomainError {
  return new DomainError(
    'rate_limited',
    `Too many requests with an invalid API key came from this address. Try again in ${retryAfter} s.`,
    { retryAfter, rateLimit: { name: 'auth-failures', quota, windowSeconds: 60 } },
  );
}

const windowMs = 60_000;
const counters = 262_144;

/**
 * Counts failures per address and minute in 1 MiB, however many addresses there are. Addresses share counters by a secret
 * hash: a flood of addresses can bring a wrong key its 429 earlier, and gives no address more attempts.
 */
class FailureLimiter {
  private readonly secret = randomBytes(16).toString('base64');
  private counts = new Uint32Array(counters);
  private windowEndsAt = 0;

  constructor(readonly quota: number) {}

  /** Returns after how many seconds the address may fail again; `undefined` while it is within its quota. */
  add(address: string): number | undefined {
    const now = performance.now();
    if (now >= this.windowEndsAt) {
      this.counts = new Uint32Array(counters);
      this.windowEndsAt = now + windowMs;
    }
    const index = hash('sha256', this.secret + address, 'buffer').readUInt32LE() % counters;
    const count = this.counts[index] ?? 0;
    if (count >= this.quota) return Math.max(1, Math.ceil((this.windowEndsAt - now) / 1000));
    this.counts[index] = count + 1;
    return undefined;
  }
}
