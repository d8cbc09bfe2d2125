import { execFile } from 'node:child_process';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { DrillContext } from '../drill.js';

const run = promisify(execFile);

/** A program of each package that the cluster needs. */
const programs = {
  iproute2: '/usr/bin/ip',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
};

/** Debian asks this program before a package starts its service. */
const policy = '/usr/sbin/policy-rc.d';

type Context = Pick<DrillContext, 'cleanup' | 'skip'>;

/** Installs the missing packages, without starting their services. Skips the drill unless root runs it on Debian. */
export async function installPackages({ cleanup, skip }: Context): Promise<void> {
  if (process.getuid?.() !== 0) skip('only root can run it');
  if (!(await isDebian())) skip('it needs the packages of Debian 12');
  const entries = Object.entries(programs);
  const present = await Promise.all(entries.map(([, program]) => exists(program)));
  const missing = entries.filter((_, index) => !present[index]).map(([name]) => name);
  if (missing.length === 0) return;
  console.log(`Installing Debian's packages ${missing.join(', ')}`);
  if (!(await exists(policy))) await forbidStarts(cleanup);
  await install(missing, skip);
}

async function isDebian(): Promise<boolean> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID=debian$/m.test(text) && /^VERSION_ID="12"$/m.test(text);
}

function forbidStarts(cleanup: Context['cleanup']): Promise<void> {
  return cleanup.own(
    () => writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 }),
    () => rm(policy),
  );
}

async function install(packages: readonly string[], skip: Context['skip']): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update'], { env });
    await run('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], { env });
  } catch (error) {
    skip(`apt-get failed: ${(error as Error).message}`);
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
