import { ConfigError } from '../config/environment.js';
import { ExplainedError } from './explained-error.js';

/** Ends a process that could not start. */
export function explainAndExit(error: unknown): never {
  const explained = error instanceof ExplainedError ? error : explainSocket(error as SocketError);
  console.error(explained?.message ?? error);
  process.exit(explained?.exitCode ?? 1);
}

type SocketError = Partial<Error & { code: string; port: number; address: string }>;

/** A port that cannot be had is the most common reason not to start. */
function explainSocket({ code = '', port, address }: SocketError): ExplainedError | undefined {
  const allowed = 'allowed is an address of this machine, or 0.0.0.0 for all';
  const errors: Readonly<Record<string, ExplainedError>> = {
    EADDRINUSE: new ExplainedError(
      `Another program listens on ${address}:${port}. Stop it, or set PORT to a free port.`,
    ),
    EACCES: new ExplainedError(`This user may not listen on ${address}:${port}. Set PORT to one above 1023.`),
    EADDRNOTAVAIL: new ConfigError([`HOST: ${address} is no address of this machine; ${allowed}`]),
    ENOTFOUND: new ConfigError([`HOST: this name is not known here; ${allowed}`]),
  };
  return errors[code];
}
