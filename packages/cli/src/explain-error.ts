import { PetstoreApiError } from '@petstore/client';
import { ExplainedError, printable } from '@petstore/contracts';
import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.js';
import { fileReason } from './file-reason.js';
import { colored } from './output.js';

/** Prints an error and returns the exit code for it. */
export function explainError(error: unknown): number {
  // Commander has printed its own errors, and the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (isAborted(error)) return exitCodes.interrupted;
  console.error(`${colored('red', 'Error:')} ${messageOf(error)}`);
  if (error instanceof ExplainedError) return error.exitCode;
  return isUnauthorized(error) ? exitCodes.unauthorized : exitCodes.failed;
}

function messageOf(error: unknown): string {
  const { message, path, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof PetstoreApiError) {
    const hint = error.status === 401 ? ' Run `petstore login`.' : '';
    return `${printable(message)} (${error.code})${hint}`;
  }
  const reason = fileReason(error);
  if (reason && path) return `${path}: ${reason}.`;
  // An error of a write has no path.
  return reason && syscall === 'write' ? `The output cannot be written: ${reason}.` : message;
}

/** Ctrl-C, also at a prompt. */
function isAborted(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'AbortError' || message === 'canceled';
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof PetstoreApiError && [401, 403].includes(error.status);
}
