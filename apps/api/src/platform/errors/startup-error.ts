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
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Another program listens on ${address}:${port}. Stop it, or set PORT to a free port.`,
    EACCES: `This user may not listen on ${address}:${port}. Set PORT to one above 1023.`,
    EADDRNOTAVAIL: `This machine does not have the address ${address}. Set HOST to one it has, or to 0.0.0.0 for all.`,
    ENOTFOUND: 'The address in HOST is not known. Set HOST to an address of this machine, or to 0.0.0.0 for all.',
  };
  const reason = reasons[code];
  return reason === undefined ? undefined : new ExplainedError(reason);
}
