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

/** Whether a target in absolute form is a URL with a host (RFC 9112, section 3.2.2); one in another form is no URL. */
export function isUrl(target: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(target) && URL.canParse(target);
}

const unroutable = '/unroutable';

/**
 * What the router is given: paths. It answers a target that it cannot read in its own words and before any hook, and
 * takes "/pets/" for "/pets/:petId" with nothing in it; such a target goes to a path that does not exist.
 */
export function routableTarget({ url = '' }: IncomingMessage): string {
  const isReadable = (url.startsWith('/') || isUrl(url)) && isDecodable(url);
  if (!isReadable) return unroutable;
  const path = escapedPathOf(url);
  return path.length > 1 && path.endsWith('/') ? unroutable : withoutOrigin(url);
}

/** Whether `routableTarget` let it through. */
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
