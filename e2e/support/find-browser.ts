import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a Chromium or Chrome. */
    browserPath: string;
  }
}

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export default function setup(project: TestProject): void {
  project.provide('browserPath', findBrowser());
}

/** The one of CHROMIUM_PATH, else one that is installed, else Debian's, which root can install. */
function findBrowser(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return given;
    throw new Error(
      `CHROMIUM_PATH names ${given}, which does not exist; name a Chromium or Chrome, or leave it unset.`,
    );
  }
  return usualPaths.find((path) => existsSync(path)) ?? installBrowser();
}

function installBrowser(): string {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log("No browser found: installing Debian's chromium for the browser tests…");
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    ]) {
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    }
  }
  const [debian = ''] = usualPaths;
  if (existsSync(debian)) return debian;
  throw new Error(
    'The browser tests need Chromium or Chrome: install one (apt-get install chromium), or name it by CHROMIUM_PATH.',
  );
}
