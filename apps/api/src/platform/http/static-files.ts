import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { packageFolder } from '../process.js';
import { addVary } from './conditional.js';
import { isApiPath, pathOf, targetErrorOf } from './request-target.js';

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
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  // For browsers that do not support frame-ancestors.
  'x-frame-options': 'DENY',
};

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** The build puts compressed copies next to the files. In order of preference. */
const compressions = [
  { encoding: 'br', extension: '.br' },
  { encoding: 'gzip', extension: '.gz' },
];
const isCompressed = /\.(br|gz)$/;

/** A file in memory. A file on disk would stay open while a client reads it slowly. */
export class StaticFile {
  private readonly type: string;
  private readonly hash: string;
  private readonly content: Buffer;
  private readonly compressed = new Map<string, Buffer>();

  constructor(
    path: string,
    private readonly cacheControl: string,
  ) {
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`static-files.ts has no Content-Type for ${path}`);
    this.type = type;
    this.content = readFileSync(path);
    this.hash = hash('sha1', this.content, 'base64url');
    for (const { encoding, extension } of compressions) {
      if (existsSync(path + extension)) this.compressed.set(encoding, readFileSync(path + extension));
    }
  }

  send({ headers, method }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const encoding = negotiate(headers['accept-encoding'] ?? '', [...this.compressed.keys()]);
    const body = (encoding && this.compressed.get(encoding)) || this.content;
    const etag = encoding ? `"${this.hash}-${encoding}"` : `"${this.hash}"`;
    void reply.headers({ ...pageHeaders, 'Cache-Control': this.cacheControl, ETag: etag });
    if (this.compressed.size > 0) addVary(reply, 'Accept-Encoding');
    const tags = headers['if-none-match'];
    if (tags !== undefined && fresh({ 'if-none-match': tags }, { etag })) {
      // For HEAD, Fastify measures the body before it drops it.
      return reply.status(304).send(method === 'HEAD' ? body : undefined);
    }
    if (encoding) void reply.header('Content-Encoding', encoding);
    return reply.type(this.type).send(body);
  }
}

/** Reads the files of a folder without hidden ones. The keys are paths relative to it, with slashes. */
export function readStaticFiles(folder: string, cacheControl: (name: string) => string): Map<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((name) => !/(^|\/)\./.test(name) && !isCompressed.test(name));
  return new Map(names.map((name) => [name, new StaticFile(join(folder, name), cacheControl(name))]));
}

/** Adds a public route for GET and HEAD. */
export function serveFile(fastify: FastifyInstance, url: string, file: StaticFile): void {
  fastify.get(url, { config: { public: true } }, (request, reply) => file.send(request, reply));
}

const adminFolder = join(packageFolder, '../admin/dist');
const pageName = 'index.html';

/** Serves the built admin at `/` and at its deep links. Without a build, `/` redirects to the documentation. */
export function serveAdmin(fastify: FastifyInstance): void {
  if (!existsSync(join(adminFolder, pageName))) {
    // A fragment (/#key=…) survives a redirect.
    fastify.get('/', { config: { public: true } }, (_request, reply) => reply.headers(pageHeaders).redirect('/docs'));
    return;
  }
  for (const [name, file] of readStaticFiles(adminFolder, cacheControlOf)) {
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

function wantsPage(request: FastifyRequest): boolean {
  const { method, headers, originalUrl } = request;
  if (targetErrorOf(request)?.code === 'bad_request') return false;
  const path = pathOf(originalUrl);
  if ((method !== 'GET' && method !== 'HEAD') || isApiPath(path)) return false;
  // A path with a file extension is a missing asset.
  return /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.accept ?? '') && !/\.[^/]*$/.test(path);
}

/** The names of assets contain a hash of their content. */
function cacheControlOf(name: string): string {
  return name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}
