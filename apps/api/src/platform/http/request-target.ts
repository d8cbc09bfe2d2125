import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** The path of a request target, in origin or absolute form, with its ASCII escapes undone. */
export function pathOf(target: string): string {
  const path = escapedPathOf(target);
  return path.includes('%') ? path.replaceAll(/%[0-7][\da-f]/gi, (escape) => decodeURIComponent(escape)) : path;
}

/** Everything below /v1 is the API, whether it exists or not. */
export function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

/** Whether the percent-encoding of the path says anything. */
export function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  try {
    decodeURIComponent(escapedPathOf(target));
    return true;
  } catch {
    return false;
  }
}

/**
 * What the router is given. It answers a target that it cannot read in its own words and before any hook, and takes
 * "/pets/" for "/pets/:petId" with nothing in it; such a target goes to a path that does not exist.
 */
export function routableTarget({ url = '' }: IncomingMessage): string {
  const isReadable = (url.startsWith('/') || /^https?:\/\//i.test(url)) && isDecodable(url);
  if (!isReadable) return '/unroutable';
  const path = escapedPathOf(url);
  return path.length > 1 && path.endsWith('/') ? '/unroutable' : url;
}

/** Whether `routableTarget` let it through. */
export function isRoutable({ url, originalUrl }: FastifyRequest): boolean {
  return url === originalUrl;
}

function escapedPathOf(target: string): string {
  const origin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = origin.search(/[?#]/);
  return end < 0 ? origin : origin.slice(0, end);
}
