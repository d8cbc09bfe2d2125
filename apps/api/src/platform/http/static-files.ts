import { existsSync, readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { signInLink } from '@petstore/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packageFolder } from '../product.js';
import { addVary } from './conditional-requests.js';
import { isApiPath, isDecodable, isUnknown, pathOf } from './paths.js';

const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

/**
 * Only pages and their files have them: other responses are not rendered by a browser.
 * No Strict-Transport-Security and no upgrade-insecure-requests: a store may open the admin at http://192.168.x.x.
 * No Cross-Origin-Opener-Policy: browsers log an error for it on plain HTTP.
 */
const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  // For browsers that do not support frame-ancestors.
  'x-frame-options': 'DENY',
};

function startPage(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  void reply.headers(pageHeaders);
  done();
}

/** The route options of a page and its files: without a key, with the headers of pages. */
const publicPage = { config: { public: true }, onRequest: startPage };

const adminFolder = join(packageFolder, '../admin/dist');
const pageName = 'index.html';

/** During development, the admin may not be built. */
const hasPage = () => existsSync(join(adminFolder, pageName));

/** Serves the admin's page and files. */
export async function serveAdmin(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifyStatic, {
    // Its routes would require a key: they have no configuration.
    serve: false,
    preCompressed: true,
    acceptRanges: false,
    cacheControl: false,
    lastModified: false,
  });
  if (hasPage()) serveFolder(fastify, '/', adminFolder);
}

/** Serves the page of a folder at a path, and all files below it, except hidden ones and the compressed copies. */
export function serveFolder(fastify: FastifyInstance, path: '/' | '/docs', folder: string): void {
  fastify.get(path, publicPage, (_request, reply) => sendFile(reply, pageName, folder));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'));
  for (const name of names.filter((file) => /^[^.].*\.(?!br$|gz$)\w+$/.test(file))) {
    fastify.get(posix.join(path, name), publicPage, (_request, reply) => sendFile(reply, name, folder));
  }
}

/** Sends a file, or the compressed copy that the build put next to it. */
function sendFile(reply: FastifyReply, name: string, folder: string): FastifyReply {
  // The names of assets contain a hash of their content.
  if (name.startsWith('assets/')) void reply.header('cache-control', 'public, max-age=31536000, immutable');
  // An ETag is the size and the date of a file. The page has the same size in every version.
  return reply.sendFile(name, folder, { etag: name !== pageName });
}

/** Sends the admin's page for an unknown path if the client accepts HTML: a deep link. */
export function serveDeepLinks(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isUnknown(request) || !wantsPage(request) || !hasPage()) return done();
    addVary(reply, 'Accept');
    startPage(request, reply, () => void sendFile(reply, pageName, adminFolder));
  });
}

function wantsPage({ method, headers, originalUrl }: FastifyRequest): boolean {
  const path = pathOf(originalUrl);
  if ((method !== 'GET' && method !== 'HEAD') || isApiPath(path) || !isDecodable(originalUrl)) return false;
  if (!/\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? '')) return false;
  // A path with a file extension is a missing asset. The end of a sign-in link may look like one.
  return !/\.[^/]*$/.test(path) || signInLink.test(path);
}
