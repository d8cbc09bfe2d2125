import type { Buildah } from './buildah.js';

type Variables = Readonly<Record<string, string>>;

/** A program that runs a command in the image. */
export interface Runtime {
  readonly program: string;
  /** The arguments before the command. */
  args(variables: Variables): readonly string[];
}

/** Runs commands as a container runtime does: with the user and the volume of the image. */
export function buildahRuntime(buildah: Buildah, container: string): Runtime {
  const options = ['--isolation', 'chroot'];
  const args = (variables: Variables) => {
    const assignments = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return [...buildah.storage, 'run', ...options, ...assignments, container, '--'];
  };
  return { program: 'buildah', args };
}

interface ReadOnlyOptions {
  readonly uid: number;
  /** The writable directories, as options of bubblewrap. */
  readonly mounts: readonly string[];
}

/** Runs commands with bubblewrap, which mounts the files of the image read-only. */
export function readOnlyRuntime(root: string, { uid, mounts }: ReadOnlyOptions): Runtime {
  const ids = ['--unshare-user', '--uid', String(uid), '--gid', '0', '--unshare-pid', '--die-with-parent'];
  const system = ['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--chdir', '/app'];
  const args = (variables: Variables) => {
    const assignments = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
    return [...ids, ...system, ...mounts, ...assignments];
  };
  return { program: 'bwrap', args };
}
