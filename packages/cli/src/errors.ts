import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PetstoreApiError } from '@petstore/client';
import { type ErrorCode, ExplainedError, printable } from '@petstore/contracts';
import { CommanderError } from 'commander';
import { colored } from './output.js';

/** The README of the package is the documentation of exactly this version. */
export const documentation = fileURLToPath(new URL('../README.md', import.meta.url));

/** The exit codes of the command. They are documented, in the help of the command too, and do not change. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unauthorized: 5,
  existingAnimals: 6,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const;

/** A wrong flag, argument or setting. */
export class UsageError extends ExplainedError {
  override readonly exitCode = exitCodes.usage;
}

/** An error that chooses the exit code. */
export class CommandError extends ExplainedError {
  constructor(
    message: string,
    override readonly exitCode: number,
  ) {
    super(message);
  }
}

/** A signal stopped the command. */
class Stopped extends CommandError {
  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`The command was stopped by ${signal}.`, signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated);
  }
}

/** Returns a signal that SIGINT (Ctrl-C) or SIGTERM aborts, with `Stopped`. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(new Stopped(name)));
  return controller.signal;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EFBIG: 'the file is larger than the system allows',
  EISDIR: 'it is a directory',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
};

/** Why a file cannot be used, as the end of a sentence. `undefined` for other errors. */
export function fileReason(error: unknown): string | undefined {
  return reasons[(error as NodeJS.ErrnoException).code ?? ''];
}

/** Returns `undefined` if nothing is at the path. @throws UsageError if this user cannot see that */
export function statIfPresent(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`${path}: ${fileReason(error) ?? error.message}.`);
  });
}

/** Prints an error and returns the exit code for it. */
export function explainError(error: unknown): number {
  // Commander has printed its own errors, and the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const stopped = toStopped(error);
  if (stopped) return stopped.exitCode;
  console.error(`${colored('red', 'Error:')} ${printable(messageOf(error))}`);
  if (error instanceof UsageError) console.error(`Documentation: ${documentation}`);
  if (error instanceof ExplainedError) return error.exitCode;
  const isUnauthorized = isKeyRejected(error) || hasCode(error, 'insufficient_scope');
  return isUnauthorized ? exitCodes.unauthorized : exitCodes.failed;
}

/** Whether the service rejected the API key. The 401 of a proxy says nothing about it. */
function isKeyRejected(error: unknown): boolean {
  return hasCode(error, 'missing_api_key') || hasCode(error, 'invalid_api_key');
}

function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof PetstoreApiError && error.code === code;
}

function messageOf(error: unknown): string {
  const { message, path, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof PetstoreApiError) {
    const hint = isKeyRejected(error) ? ' Run `petstore login`.' : '';
    return `${message} (${error.code})${hint}`;
  }
  const reason = fileReason(error);
  if (reason && path) return `${path}: ${reason}.`;
  // An error of a write has no path.
  return reason && syscall === 'write' ? `The output cannot be written: ${reason}.` : message;
}

/** A stream that a signal aborted has the reason as its cause. Ctrl-C at a prompt has none. */
function toStopped(error: unknown): Stopped | undefined {
  const { name, message, cause } = error as Error;
  const found = [error, cause].find((reason) => reason instanceof Stopped);
  return found ?? (name === 'AbortError' || message === 'canceled' ? new Stopped('SIGINT') : undefined);
}
