import { idempotencyKeyPattern, int64, type ListPetsQuery } from '@petstore/contracts';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.js';
import { principalOf } from '../../platform/http/security/access.js';
import { type Deprecation, isGone } from '../../platform/http/routing/deprecation.js';
import type { Idempotency } from './idempotency.js';
import { InvalidIdempotencyKey, PetNotFound } from './pet.errors.js';

/** getPet will be removed on 5 December 2030 (specification, section 4.3). */
export const getPetDeprecation: Deprecation = {
  since: new Date('2026-11-20T00:00:00Z'),
  removal: new Date('2030-12-05T00:00:00Z'),
  successor: '/v1/pets',
};

/** The path of an animal: getPet until its removal, then the list with the filter `id`. */
export function petLocation(id: bigint, clock: Clock): string {
  return isGone(getPetDeprecation, clock) ? `/v1/pets?id=${id}` : `/v1/pets/${id}`;
}

/** @throws PetNotFound for anything but a positive int64 in plain decimal digits. */
export function petIdOf(text: string): bigint {
  const id = /^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : 0n;
  if (id === 0n || id > int64.max) throw new PetNotFound();
  return id;
}

/** Builds links to the first and the next page (RFC 8288). They are relative, to work behind every proxy. */
export function pageLinks({ limit, status, order }: ListPetsQuery, next: string | undefined): string {
  const query = parameter('limit', limit) + parameter('status', status) + parameter('order', order);
  const first = `<${addressOf(query)}>; rel="first"`;
  return next === undefined ? first : `<${addressOf(query + parameter('after', next))}>; rel="next", ${first}`;
}

/** No value needs escaping, because all are validated. */
function parameter(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : `&${name}=${value}`;
}

function addressOf(query: string): string {
  return query === '' ? '/v1/pets' : `/v1/pets?${query.slice(1)}`;
}

/** Returns whether the client prefers `count=exact` (RFC 7240). The first `count` wins; other preferences are ignored. */
export function prefersCount(prefer = ''): boolean {
  const count = prefer.split(',').find((preference) => /^\s*count\s*(=|;|$)/i.test(preference)) ?? '';
  return /^\s*count\s*=\s*("exact"|exact)\s*(;|$)/i.test(count);
}

/** @throws InvalidIdempotencyKey */
export function idempotencyOf(request: FastifyRequest): Idempotency | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKeyPattern.test(key)) throw new InvalidIdempotencyKey();
  return { apiKeyId: principalOf(request).apiKeyId, key };
}
