import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// The headless shell renders like Chromium and takes half of its CPU time.
const usualPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns CHROMIUM_PATH, else an installed browser, else installs Debian's headless Chromium, which needs root. */
export function findBrowser(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return given;
    throw new Error(
      `CHROMIUM_PATH is set to ${given}, which does not exist. Set it to a Chromium or Chrome executable, or unset it.`,
    );
  }
  return usualPaths.find((path) => existsSync(path)) ?? installBrowser();
}

function installBrowser(): string {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log("No browser found. Installing Debian's chromium-headless-shell for the browser tests …");
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
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
    'The browser tests need Chromium or Chrome. Install one (apt-get install chromium-headless-shell), or set CHROMIUM_PATH.',
  );
}
