import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { DrillSkipped } from '../drill.js';

const namespaces = ['--mount', '--net', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'];

/**
 * Prepares directories that hide those of the system, then runs the program. The shell collects the processes whose
 * parent was killed.
 */
const script = `
  mount -t tmpfs tmpfs /run && mkdir /run/netns /run/postgresql &&
  mount -t tmpfs tmpfs /dev/shm && ip link set lo up || exit 69
  "$@" & wait $!`;

const notAllowed = 69;

/**
 * Runs a module of Node in Linux namespaces without a connection to any network. When the program ends, so do all
 * processes that it started, and the system removes its networks.
 * @returns the message that it sends to its parent.
 * @throws DrillSkipped if the system does not allow namespaces.
 */
export async function runInSandbox<Message>(cleanup: Cleanup, module: string, args: string[]): Promise<Message> {
  const command = [...namespaces, 'sh', '-c', script, 'sh', process.execPath, module, ...args];
  const child = await cleanup.own(
    // Detached: the cleanup ends it after Ctrl-C.
    async () => spawn('unshare', command, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'], detached: true }),
    kill,
  );
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  let message: Message | undefined;
  child.on('message', (received) => (message = received as Message));
  await once(child, 'close');
  if (message !== undefined) return message;
  if (child.exitCode === notAllowed || errors.startsWith('unshare:')) {
    throw new DrillSkipped(`the system does not allow namespaces: ${errors.trim()}`);
  }
  throw new Error(`The cluster exited with ${String(child.exitCode)}:\n${errors}`);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
