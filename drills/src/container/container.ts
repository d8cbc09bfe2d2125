import { readFileSync } from 'node:fs';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { childrenOf } from '@petstore/processes/process-usage.js';
import { freePort, ServerProcess } from '@petstore/processes/server-process.js';
import type { Buildah } from './buildah.js';

/** The service in a container. */
export class Container extends ServerProcess {
  /** Starts the service and waits until it is ready. */
  static async start(cleanup: Cleanup, runtime: Runtime, variables: Variables = {}): Promise<Container> {
    const container = await Container.launch(cleanup, runtime, variables);
    await container.ready('/readyz');
    return container;
  }

  /** Starts the service without waiting. */
  static async launch(cleanup: Cleanup, runtime: Runtime, variables: Variables = {}): Promise<Container> {
    const port = await freePort();
    const service = ['node', 'apps/api/dist/main.js'];
    const command = [runtime.program, ...runtime.args({ ...variables, PORT: String(port) }), ...service];
    return cleanup.own(
      async () => new Container({ command, variables: {}, port }),
      (container) => container.stop(),
    );
  }

  fetch(path: string, key: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${this.port}${path}`, { ...init, headers });
  }

  /** Sends SIGTERM to the service, as container runtimes do. The parents of the process do not forward the signal. */
  override async stop(): Promise<number | null> {
    if (!this.hasEnded) process.kill(serviceBelow(this.pid), 'SIGTERM');
    return this.exited();
  }
}

function serviceBelow(pid: number): number {
  const service = family(pid).find((one) => readFileSync(`/proc/${one}/comm`, 'utf8').trim() === 'node');
  if (service === undefined) throw new Error('The service does not run in the container.');
  return service;
}

function family(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(family)];
}

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

/**
 * Runs commands with bubblewrap, which mounts the files of the image read-only. `mounts` are its options for the writable
 * directories.
 */
export function readOnlyRuntime(root: string, uid: number, mounts: readonly string[]): Runtime {
  const ids = ['--unshare-user', '--uid', String(uid), '--gid', '0', '--unshare-pid', '--die-with-parent'];
  const system = ['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--chdir', '/app'];
  const args = (variables: Variables) => {
    const assignments = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
    return [...ids, ...system, ...mounts, ...assignments];
  };
  return { program: 'bwrap', args };
}
