import { ExplainedError } from '@petstore/contracts';

/** Names each invalid variable and what is allowed. Never contains the value of a secret. */
export class ConfigError extends ExplainedError {
  /** sysexits.h: EX_CONFIG. */
  override readonly exitCode = 78;

  constructor(readonly faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Prints why the process could not start, and exits. */
export function explainAndExit(error: unknown): never {
  const explained = explanationOf(error);
  console.error(explained ? explained.message : error);
  process.exit(explained?.exitCode ?? 1);
}

/** Returns `undefined` for an error that nothing explains. */
export function explanationOf(error: unknown): ExplainedError | undefined {
  return error instanceof ExplainedError ? error : explainSocket(error as SocketError);
}

type SocketError = Partial<Error & { code: string; syscall: string; port: number; address: string; hostname: string }>;

/** Explains why the service cannot listen. `prefix` begins the names of the variables: `HOST` or `METRICS_HOST`. */
export function explainSocket(
  { code = '', syscall = '', port, address, hostname }: SocketError,
  prefix: '' | 'METRICS_' = '',
): ExplainedError | undefined {
  // Files have the same codes.
  if (!['listen', 'getaddrinfo'].includes(syscall)) return undefined;
  if (code === 'EADDRINUSE') {
    return new ExplainedError(`Port ${port} is already in use on ${address}. Set ${prefix}PORT to use another port.`);
  }
  if (code === 'EACCES') {
    return new ExplainedError(`No permission to listen on ${address}:${port}. Set ${prefix}PORT to a port above 1023.`);
  }
  const notHere = `${prefix}HOST: ${address ?? hostname} is not an address of this machine (${code}). Use an address of this machine, or 0.0.0.0 for all`;
  // A restart helps when the resolution of names works again.
  return code === 'EAI_AGAIN' ? new ExplainedError(`${notHere}.`) : new ConfigError([notHere]);
}
