import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { childrenOf } from '@petstore/processes/process-usage.js';
import { freePort, ServerProcess } from '@petstore/processes/server-process.js';
import type { Buildah } from './buildah.js';

/** The service in a container. */
export class Container {
  private constructor(private readonly process: ServerProcess) {}

  /** Starts the service and waits until it is ready. */
  static async start(cleanup: Cleanup, runtime: Runtime, variables: Record<string, string> = {}): Promise<Container> {
    const container = await Container.launch(cleanup, runtime, variables);
    await container.process.ready('/readyz', {});
    return container;
  }

  /** Starts the service without waiting. */
  static async launch(cleanup: Cleanup, runtime: Runtime, variables: Record<string, string> = {}): Promise<Container> {
    const port = await freePort();
    const nodeOptions = [...runtime.args({ ...variables, PORT: String(port) }), 'node'];
    const entry = 'apps/api/dist/main.js';
    return cleanup.own(
      async () => {
        const spawnOptions = { node: runtime.program };
        return new Container(await ServerProcess.start({ entry, variables: {}, nodeOptions, port, spawnOptions }));
      },
      (container) => container.stop(),
    );
  }

  get port(): number {
    return this.process.port;
  }

  get output(): string {
    return this.process.output;
  }

  fetch(path: string, key: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${this.port}${path}`, { ...init, headers });
  }

  /** Sends SIGTERM to the service, as container runtimes do. The parents of the process do not forward the signal. */
  async stop(): Promise<number | null> {
    if (!this.process.hasEnded) process.kill(serviceBelow(this.process.pid), 'SIGTERM');
    return this.process.exited();
  }

  /**
   * Waits for a text in the output.
   * @throws Error if the service ends before.
   */
  async printed(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (this.process.hasEnded) throw new Error(`The service did not print "${text}":\n${this.output}`);
      await sleep(100);
    }
  }

  exited(): Promise<number | null> {
    return this.process.exited();
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
