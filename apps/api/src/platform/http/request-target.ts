import type { IncomingMessage } from 'node:http';
import { DomainError } from '../errors/domain-error.js';

/** Where the API starts. The OpenAPI document states it as the server. */
export const apiPath = '/v1';

/** The path of a request target in origin or absolute form, with ASCII escapes decoded. */
export function pathOf(target: string): string {
  const path = escapedPathOf(target);
  return path.includes('%') ? path.replaceAll(/%[0-7][\da-f]/gi, (escape) => decodeURIComponent(escape)) : path;
}

/** Whether a path belongs to the API, even if it does not exist. */
export function isApiPath(path: string): boolean {
  return path === apiPath || path.startsWith(`${apiPath}/`);
}

/** No client can send it, because a target contains no space. */
const unroutable = '/ ';

const targetError = Symbol('target error');
type TargetRequest = IncomingMessage & { [targetError]?: DomainError };

/**
 * The target for the router. Fastify would answer an invalid target with its own error before any hook, and match
 * "/things/" to "/things/:id" with an empty id. Such targets become a path that does not exist.
 */
export function routableTarget(request: TargetRequest): string {
  const { url = '' } = request;
  const error = errorOf(url);
  if (!error) return withoutOrigin(url);
  request[targetError] = error;
  return unroutable;
}

/** The error of a target that `routableTarget` did not accept. */
export function targetErrorOf({ raw }: { raw: TargetRequest }): DomainError | undefined {
  return raw[targetError];
}

function errorOf(target: string): DomainError | undefined {
  if (!isDecodable(target)) {
    return new DomainError('bad_request', 'The path or the query contains invalid percent-encoding.');
  }
  if (/^https?:/i.test(target) && !isUrl(target)) {
    return new DomainError('bad_request', 'The request target is not a valid URL.');
  }
  const path = escapedPathOf(target);
  return !path.startsWith('/') || (path.length > 1 && path.endsWith('/'))
    ? new DomainError('route_not_found')
    : undefined;
}

/** Whether the percent-encoding of the path and the query is valid. */
function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    decodeURIComponent(withoutOrigin(target));
    return true;
  } catch {
    return false;
  }
}

/** Whether a target is in absolute form and a valid URL with a host (RFC 9112, section 3.2.2). */
function isUrl(target: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(target) && URL.canParse(target);
}

function withoutOrigin(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

function escapedPathOf(target: string): string {
  const origin = withoutOrigin(target);
  const end = origin.search(/[?#]/);
  return end < 0 ? origin : origin.slice(0, end);
}
