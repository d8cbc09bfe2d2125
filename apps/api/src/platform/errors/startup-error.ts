import { ExplainedError } from '@petstore/contracts';
import { withProgramNames } from '../process.js';

/** Names each invalid variable and what is allowed. Never contains the value of a secret. */
export class ConfigError extends ExplainedError {
  /** sysexits.h: EX_CONFIG. */
  override readonly exitCode = 78;

  constructor(readonly faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Another process of the service has already printed why it could not start. */
export class ReportedFailure extends Error {
  constructor(readonly exitCode: number) {
    super(`A process of the service exited with ${exitCode}.`);
    this.name = 'ReportedFailure';
  }
}

/** Prints why the process could not start, and exits. */
export function explainAndExit(error: unknown): never {
  if (error instanceof ReportedFailure) process.exit(error.exitCode);
  const explained = explanationOf(error);
  console.error(explained ? withProgramNames(explained.message) : error);
  process.exit(explained?.exitCode ?? 1);
}

/** Returns `undefined` for an error that nothing explains. */
export function explanationOf(error: unknown): ExplainedError | undefined {
  return error instanceof ExplainedError ? error : explainSocket(error as SocketError);
}

/** The beginning of the names of the variables for an address: `HOST` and `PORT`, or `METRICS_HOST` and `METRICS_PORT`. */
export type AddressPrefix = '' | 'METRICS_';

export function portInUse(port?: number, address?: string, prefix: AddressPrefix = ''): ExplainedError {
  return new ExplainedError(`Port ${port} is already in use on ${address}. Set ${prefix}PORT to use another port.`);
}

type SocketError = Partial<Error & { code: string; port: number; address: string }>;

/** Explains why the service cannot listen on its port, or on that of the metrics. */
export function explainSocket(
  { code = '', port, address }: SocketError,
  prefix: AddressPrefix = '',
): ExplainedError | undefined {
  const allowed = 'use an address of this machine, or 0.0.0.0 for all of them';
  const errors: Readonly<Record<string, ExplainedError>> = {
    EADDRINUSE: portInUse(port, address, prefix),
    EACCES: new ExplainedError(
      `No permission to listen on ${address}:${port}. Set ${prefix}PORT to a port above 1023.`,
    ),
    EADDRNOTAVAIL: new ConfigError([`${prefix}HOST: ${address} is not an address of this machine; ${allowed}`]),
    ENOTFOUND: new ConfigError([`${prefix}HOST: cannot resolve this name; ${allowed}`]),
  };
  return errors[code];
}
