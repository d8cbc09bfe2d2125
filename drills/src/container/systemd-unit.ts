import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Runtime } from './runtimes.js';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../..', import.meta.url));
const directory = 'etc/systemd/system';
/** In tenths: systemd prints it as 2.0, which it calls OK. */
const maxExposure = 20;

/** Runs the steps of docs/operating.md on a server that has only Debian and Node. */
export async function installUnit(server: string, packaged: string): Promise<void> {
  // bubblewrap runs as the user of the unit, who must be able to read the files.
  await chmod(server, 0o755);
  await run('ln', ['-sf', '/usr/local/bin/node', join(server, 'usr/bin/node')]);
  const steps = await documentedSteps();
  const name = /petstore-[\d.]+(?=\.tar\.gz)/.exec(steps)?.[0] ?? '';
  const archive = ['-czf', join(server, `root/${name}.tar.gz`), '--transform', `s,^[.],${name},`];
  await run('tar', [...archive, '-C', packaged, '.']);
  await run('chroot', [server, 'sh', '-ec', `cd /root\n${steps}`]);
}

/** The commands of the block that follows "There, as root". */
async function documentedSteps(): Promise<string> {
  const page = await readFile(join(repository, 'docs/operating.md'), 'utf8');
  const steps = /There, as root:\n\n```sh\n(?<steps>.+?)```/s.exec(page)?.groups?.['steps'];
  if (steps === undefined) throw new Error('docs/operating.md has no steps for a systemd unit.');
  return steps;
}

/** @throws Error if systemd rejects the unit, or rates its sandbox as weak. */
export async function checkUnit(server: string): Promise<void> {
  const options = ['--root', server, '--offline=yes', `--threshold=${maxExposure}`];
  await run('systemd-analyze', ['security', ...options, 'petstore.service']);
  const units = ['petstore.service', 'petstore-backup.service', 'petstore-backup.timer'];
  // The clean server has no systemd, so this machine's targets count.
  const files = units.map((unit) => join(server, directory, unit));
  await run('systemd-analyze', ['verify', '--recursive-errors=no', ...files]);
}

/** Runs the program of the unit as systemd would: as its user, with a read-only system, and here without a network. */
export async function unitRuntime(server: string): Promise<Runtime> {
  const unit = await readFile(join(server, directory, 'petstore.service'), 'utf8');
  const setting = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1] ?? '';
  const uid = (await run('chroot', [server, 'id', '--user', setting('User')])).stdout.trim();
  const state = join('/var/lib', setting('StateDirectory'));
  await mkdir(join(server, state), { mode: 0o700 });
  await chown(join(server, state), Number(uid), Number(uid));
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'bwrap', '--unshare-net', '--unshare-pid'];
  const system = [
    '--ro-bind',
    server,
    '/',
    '--bind',
    join(server, state),
    state,
    '--tmpfs',
    '/tmp',
    '--die-with-parent',
  ];
  const kernel = ['--proc', '/proc', '--dev', '/dev', '--chdir', setting('WorkingDirectory')];
  const assignments = setting('Environment').split(' ');
  const environment = assignments.flatMap((assignment) => ['--setenv', ...assignment.split('=')]);
  const clean = ['--clearenv', '--setenv', 'PATH', '/usr/bin:/bin'];
  return { program: 'setpriv', args: () => [...user, ...system, ...kernel, ...clean, ...environment] };
}
