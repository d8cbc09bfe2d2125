import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

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

/** Whether the percent-encoding of the path and the query is valid. */
export function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    decodeURIComponent(withoutOrigin(target));
    return true;
  } catch {
    return false;
  }
}

/** Whether a target is in absolute form and a valid URL with a host (RFC 9112, section 3.2.2). */
export function isUrl(target: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(target) && URL.canParse(target);
}

const unroutable = '/unroutable';

/**
 * The target for the router. Fastify would answer an invalid target with its own error before any hook, and match
 * "/things/" to "/things/:id" with an empty id. Such targets become a path that does not exist.
 */
export function routableTarget({ url = '' }: IncomingMessage): string {
  const isReadable = (url.startsWith('/') || isUrl(url)) && isDecodable(url);
  if (!isReadable) return unroutable;
  const path = escapedPathOf(url);
  return path.length > 1 && path.endsWith('/') ? unroutable : withoutOrigin(url);
}

/** Whether `routableTarget` accepted the target. */
export function isRoutable({ url }: FastifyRequest): boolean {
  return url !== unroutable;
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
