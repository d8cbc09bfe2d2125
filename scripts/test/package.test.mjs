import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, Program } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyService, createPackage } from '../package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'petstore-package-'));
const directory = join(folder, 'petstore');

function pagesBelow(root) {
  const files = readdirSync(root, { recursive: true }).filter((file) => !file.startsWith('node_modules'));
  return files.filter((file) => file.endsWith('.md')).map((file) => join(root, file));
}

/** The relative links of a page to files that do not exist. */
function brokenLinks(page) {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(([, link]) => link);
  const isBroken = (link) => !/^[a-z]+:/.test(link) && !existsSync(join(dirname(page), link));
  return links.filter(isBroken).map((link) => `${page}: ${link}`);
}

describe('the packaged service', () => {
  let service;
  let url;

  beforeAll(async () => {
    copyService(directory);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // Outside the repository, so that it finds no other files and packages.
    service = new Program([process.execPath, join(directory, 'apps/api/dist/main.js')], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: String(port) },
    });
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('starts with its own database', { timeout: 90_000 }, async () => {
    await expect.poll(() => service.output, { timeout: 60_000 }).toContain('Petstore is ready.');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it.each(['/', '/docs', '/docs/swagger-ui-bundle.js', '/docs/plugin.js', '/openapi.json'])(
    'serves %s',
    async (path) => {
      expect((await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).status).toBe(200);
    },
  );

  it("does not contain Prisma's schema engine, which only development needs", () => {
    const files = readdirSync(directory, { recursive: true });
    expect(files).toContain('apps/api/dist/main.js');
    expect(files.filter((file) => file.endsWith('.wasm'))).toEqual([]);
  });

  it('has every file that its pages link to', () => {
    const missing = pagesBelow(directory).flatMap((page) => brokenLinks(page));
    expect(missing).toEqual([]);
  });

  it('names its program instead of npm scripts, which it does not have', () => {
    const run = (...args) =>
      spawnSync(process.execPath, [join(directory, 'apps/api/dist/manage.js'), ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    expect(run('keys', 'revoke', '99').stderr).toBe(
      'No key has the id 99. Run "node apps/api/dist/manage.js keys list" to see all keys.\n',
    );
    expect(run('keys', '--help').stdout).toContain('node apps/api/dist/manage.js keys create --name "front desk"');
  });

  it('stops at SIGTERM', async () => {
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

describe('npm run package', () => {
  it.each([
    ['without a directory', [], 'Give the path of one new directory'],
    ['into a directory that exists', [tmpdir()], 'already exists'],
  ])('fails %s', async (_, args, message) => {
    await expect(createPackage(args)).rejects.toThrow(message);
  });
});
