import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { packageFolder } from '../../process.js';
import { readStaticFiles, serveFile, type StaticFile } from './static-files.js';
import { addVary } from './vary.js';
import { isApiPath, isDecodable, pathOf } from '../routing/request-target.js';

const folder = join(packageFolder, '../admin/dist');
const pageName = 'index.html';

/** Serves the built admin at `/` and at its deep links. Without a build, `/` redirects to the documentation. */
export function serveAdmin(fastify: FastifyInstance): void {
  if (!existsSync(join(folder, pageName))) {
    // A fragment (/#key=…) survives a redirect.
    fastify.get('/', { config: { public: true } }, (_request, reply) => reply.redirect('/docs'));
    return;
  }
  for (const [name, file] of readStaticFiles(folder, cacheControlOf)) {
    serveFile(fastify, `/${name}`, file);
    if (name !== pageName) continue;
    serveFile(fastify, '/', file);
    serveDeepLinks(fastify, file);
  }
}

/** Sends the admin's page for unknown paths if the client accepts HTML. */
function serveDeepLinks(fastify: FastifyInstance, page: StaticFile): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !wantsPage(request)) return done();
    addVary(reply, 'Accept');
    void page.send(request, reply);
  });
}

function wantsPage({ method, headers, originalUrl }: FastifyRequest): boolean {
  const path = pathOf(originalUrl);
  if ((method !== 'GET' && method !== 'HEAD') || isApiPath(path) || !isDecodable(originalUrl)) return false;
  // A path with a file extension is a missing asset.
  return /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? '') && !/\.[^/]*$/.test(path);
}

/** The names of assets contain a hash of their content. */
function cacheControlOf(name: string): string {
  return name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}
