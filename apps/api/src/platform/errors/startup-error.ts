import { ExplainedError } from '@petstore/explained-error';
import { ConfigError } from '../config/environment.js';

/** Prints an error and ends the process. */
export function explainAndExit(error: unknown): never {
  const explained = error instanceof ExplainedError ? error : explainSocket(error as SocketError);
  console.error(explained?.message ?? error);
  process.exit(explained?.exitCode ?? 1);
}

type SocketError = Partial<Error & { code: string; port: number; address: string }>;

function explainSocket({ code = '', port, address }: SocketError): ExplainedError | undefined {
  const fix = 'Set HOST to an address of this machine, or to 0.0.0.0 for all.';
  const errors: Readonly<Record<string, ExplainedError>> = {
    EADDRINUSE: new ExplainedError(`Port ${port} of ${address} is already in use. Set PORT to use another port.`),
    EACCES: new ExplainedError(`This user may not listen on ${address}:${port}. Set PORT to a port above 1023.`),
    EADDRNOTAVAIL: new ConfigError([`HOST: ${address} is not an address of this machine. ${fix}`]),
    ENOTFOUND: new ConfigError([`HOST: this name cannot be resolved. ${fix}`]),
  };
  return errors[code];
}
