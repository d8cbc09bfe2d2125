import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from '../../platform/config/config.js';
import { Authenticator, type Principal } from '../../platform/http/access.js';
import { ApiKeyRing } from './api-key-ring.js';
import { InvalidApiKey, MissingApiKey, TooManyAuthFailures } from './api-key.errors.js';

/** Judges the `Authorization` header (RFC 6750, section 2.1). */
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

  authenticate(authorization: string | undefined, address: string): Principal | Promise<Principal> {
    const key = bearerKey(authorization);
    if (key === undefined) throw new MissingApiKey();
    return this.ring.recognise(key) ?? this.refuse(address);
  }

  /** Judged after the key, so that a good key is served however many wrong ones its address sent. */
  private async refuse(address: string): Promise<never> {
    try {
      await this.failures.consume(network(address));
    } catch (limit) {
      if (!(limit instanceof RateLimiterRes)) throw limit;
      throw new TooManyAuthFailures(this.failures.points, Math.max(1, Math.ceil(limit.msBeforeNext / 1000)));
    }
    throw new InvalidApiKey();
  }
}

/** `undefined` when no key was sent; a header that is no bearer key counts as a wrong one. */
function bearerKey(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.trim() === '') return undefined;
  const [, key = ''] = /^Bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
  return key || (/^Bearer$/i.test(authorization.trim()) ? undefined : authorization);
}

/** One who has an IPv6 address has 2^64 of them. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}
