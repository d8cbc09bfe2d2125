import { ExplainedError } from '@petstore/contracts';
import { withProgramNames } from '../product.js';

/** Names each invalid variable and what is allowed. Never contains the value of a secret. */
export class ConfigError extends ExplainedError {
  /** sysexits.h: EX_CONFIG. */
  override readonly exitCode = 78;

  constructor(readonly faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** The database has no animals, but a backup has, or may have. */
export class LostDataError extends ExplainedError {
  /** A restart does not help. */
  override readonly exitCode = 78;

  /** @param animals `undefined` if the backup cannot be read */
  constructor(path: string, animals?: number) {
    const backup = animals === undefined ? 'that cannot be read' : `with ${animals.toLocaleString('en')}`;
    super(
      `The database has no animals, but BACKUP_DIRECTORY has a backup ${backup}. Is a disk missing? ` +
        `Restore the backup, or use another BACKUP_DIRECTORY for a new store. The backup is ${path}.`,
    );
  }
}

/** Prints why the process could not start, and exits. */
export function explainAndExit(error: unknown): never {
  const explained = explanationOf(error);
  console.error(explained ? withProgramNames(explained.message) : error);
  process.exit(explained?.exitCode ?? 1);
}

/** Returns `undefined` for an error that nothing explains. */
export function explanationOf(error: unknown): ExplainedError | undefined {
  return error instanceof ExplainedError ? error : explainSocket(error as SocketError);
}

type SocketError = Partial<Error & { code: string; syscall: string; port: number; address: string }>;

/** Explains why the service cannot listen. `prefix` begins the names of the variables: `HOST` or `METRICS_HOST`. */
export function explainSocket(
  { code = '', syscall = '', port, address }: SocketError,
  prefix: '' | 'METRICS_' = '',
): ExplainedError | undefined {
  // Files have the same codes.
  if (!['listen', 'getaddrinfo'].includes(syscall)) return undefined;
  const allowed = 'use an address of this machine, or 0.0.0.0 for all of them';
  const inUse = `Port ${port} is already in use on ${address}. Set ${prefix}PORT to use another port.`;
  const noPermission = `No permission to listen on ${address}:${port}. Set ${prefix}PORT to a port above 1023.`;
  const notHere = new ConfigError([`${prefix}HOST: ${address} is not an address of this machine; ${allowed}`]);
  const errors: Readonly<Record<string, ExplainedError>> = {
    EADDRINUSE: new ExplainedError(inUse),
    EACCES: new ExplainedError(noPermission),
    EADDRNOTAVAIL: notHere,
    // A link-local address without its interface, a multicast address, IPv6 where it is off.
    EINVAL: notHere,
    EAFNOSUPPORT: notHere,
    ENOTFOUND: new ConfigError([`${prefix}HOST: cannot resolve this name; ${allowed}`]),
    EAI_AGAIN: new ExplainedError(
      `${prefix}HOST: cannot resolve this name now. Restart when name resolution works, or ${allowed}.`,
    ),
  };
  return errors[code];
}
