import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromRoot } from '../workspace.mjs';

const options = { cwd: fromRoot(), encoding: 'utf8' };
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], options).split('\n');
const files = tracked.filter((file) => file !== '' && existsSync(fromRoot(file)));
const pages = files.filter((file) => file.endsWith('.md'));

const read = (file) => readFileSync(fromRoot(file), 'utf8');
const withoutCode = (text) => text.replaceAll(/^ *```.*?^ *```$/gms, '');

/** The targets of Markdown links, without those to other sites. */
function linksOf(page) {
  const targets = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets.filter((target) => !/^\w+:/.test(target));
}

/** The anchors of a page, as GitHub builds them from headings. */
function anchorsOf(page) {
  const text = withoutCode(read(page)).toLowerCase();
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  return headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'));
}

function isBroken(page, link) {
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(fromRoot(target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

/** What a shell of a page runs: the blocks and the code in a line. */
function commandsOf(page) {
  const text = read(page);
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block]) => block);
  return [...blocks, ...(withoutCode(text).match(/`[^`]+`/g) ?? [])];
}

/** Other users of a machine see the arguments of programs, and a shell keeps them in its history. */
const secret = /\b(?:DATABASE_URL|BOOTSTRAP_API_KEY|PGPASSWORD)(?:=\S| of)|--key \S/;

describe('the documentation', () => {
  it.each(pages)('%s has no secret on a command line, and overwrites no log', (page) => {
    expect(commandsOf(page).filter((command) => secret.test(command) || /npm start >[^>]/.test(command))).toEqual([]);
  });

  it.each(pages)('%s links only to pages and headings that exist', (page) => {
    expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
  });

  it('has every page that a source or configuration names', () => {
    const sources = files.filter((file) => /\.(?:m?[jt]sx?|ya?ml|ini|service|sql)$/.test(file));
    const named = sources.flatMap((file) => read(file).match(/\bdocs\/[\w/-]+\.md\b/g) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect([...new Set(named)].filter((page) => !existsSync(fromRoot(page)))).toEqual([]);
  });
});
