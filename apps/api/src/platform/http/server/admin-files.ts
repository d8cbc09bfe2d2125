import { existsSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { packageFolder } from '../../process/package-folder.js';
import { isApiPath, isDecodable, pathOf } from '../routing/request-target.js';

const folder = join(packageFolder, '../admin/dist');
const page = 'index.html';

/**
 * Serves the built admin at `/` and at its deep links. Without a build, `/` redirects to the documentation.
 */
export async function serveAdmin(fastify: FastifyInstance): Promise<void> {
  if (!existsSync(join(folder, page))) {
    // A fragment (/#key=…) survives a redirect.
    fastify.get('/', { config: { public: true } }, (_request, reply) => reply.redirect('/docs'));
    return;
  }
  serveDeepLinks(fastify);
  await fastify.register(async (scope) => {
    scope.addHook('onRoute', (route) => void (route.config = { ...route.config, public: true }));
    await scope.register(staticFiles, {
      root: folder,
      // One route per file, so that any other path stays unknown.
      wildcard: false,
      globIgnore: ['**/*.br', '**/*.gz'],
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.header('Cache-Control', cacheControlOf(path)),
    });
  });
}

/** Sends the admin's page for unknown paths if the client accepts HTML. */
function serveDeepLinks(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !wantsPage(request)) return done();
    void reply.header('Cache-Control', 'no-cache').header('Vary', 'Accept').sendFile(page, folder);
  });
}

function wantsPage({ method, headers, originalUrl }: FastifyRequest): boolean {
  const path = pathOf(originalUrl);
  if ((method !== 'GET' && method !== 'HEAD') || isApiPath(path) || !isDecodable(originalUrl)) return false;
  // A path with a file extension is a missing asset.
  return /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? '') && !/\.[^/]*$/.test(path);
}

/** The names of assets contain a hash of their content. */
function cacheControlOf(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}
