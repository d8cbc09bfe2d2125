import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** It renders like Chromium, and takes a third of its CPU time for a new page. */
const headlessShell = '/usr/bin/chromium-headless-shell';
const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns CHROMIUM_PATH, else Debian's headless shell, which it installs if root runs the tests, else another browser. */
export function findBrowser(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return given;
    throw new Error(
      `CHROMIUM_PATH is set to ${given}, which does not exist. Set it to a Chromium or Chrome executable, or unset it.`,
    );
  }
  if (!existsSync(headlessShell)) installHeadlessShell();
  const found = [headlessShell, ...browsers].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (apt-get install chromium-headless-shell), or set CHROMIUM_PATH.',
  );
}

/** Without root or a network, another browser serves too. */
function installHeadlessShell(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log("Installing Debian's chromium-headless-shell for the browser tests …");
  const options = ['-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'];
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']]) {
    spawnSync('apt-get', [...options, ...command], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
}
