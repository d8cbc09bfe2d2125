import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '@petstore/contracts';
import pg from 'pg';

/**
 * - Prisma's codes for: unreachable, access denied, no connection left, timed out
 * - SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html): the classes connection (08), authorization
 *   (28), insufficient resources (53), operator intervention (57) and system error (58); read-only server (25006), idle
 *   transaction timeout (25P03), unknown database (3D000), database not accepting connections (55000), lock timeout (55P03)
 * - Node's codes for a socket that broke or never opened, and the kinds by which Prisma's driver adapter replaces them
 */
const unavailableCodes = new RegExp(
  '^(P10(00|01|02|03|08|10|11|17)|P2024|P2028|P2037|(08|28|53|57|58)...|25006|25P03|3D000|55000|55P03|' +
    'EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT|' +
    'DatabaseNotReachable|ConnectionClosed|SocketTimeout|TlsConnectionError)$',
);

const unavailableMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|the database system is/;

interface Layer {
  code?: unknown;
  kind?: unknown;
  originalCode?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/**
 * Whether the database is temporarily unavailable, so that the same request may succeed later. Prisma and its driver
 * adapter wrap the errors of pg, so this checks every layer.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return layersOf(error).some(isUnavailable);
}

function layersOf(error: unknown): Layer[] {
  const layers: Layer[] = [];
  for (let layer = error as Layer | undefined; layer && layers.length < 6;) {
    layers.push(layer);
    layer = (layer.cause ?? layer.meta?.driverAdapterError) as Layer | undefined;
  }
  return layers;
}

function isUnavailable({ code, kind, originalCode, message }: Layer): boolean {
  const isCode = [code, kind, originalCode].some((one) => unavailableCodes.test(String(one)));
  return isCode || unavailableMessages.test(String(message));
}

/** The server was shut down (57P01) or crashed (57P02), or the connection broke, while a statement ran. */
const lostCodes = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE']);

/** Whether a statement failed only because its connection broke. A write may have taken effect. */
function isConnectionLost(error: unknown): boolean {
  return layersOf(error).some(
    ({ code, message }) => lostCodes.has(String(code)) || message === 'Connection terminated unexpectedly',
  );
}

/** Whether PostgreSQL rejected the statement itself, so that it had no effect. */
export function isStatementError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseUnavailable(error);
}

/** Runs a read once more if its connection broke, for example because the database failed over. */
export async function retryRead<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return read();
  }
}

const startTimeoutMs = 60_000;
const startRetryMs = 500;

/** Repeats a step of the start while the database is unavailable, for example because the machine is busy or it restarts. */
export async function retryAtStart(step: () => Promise<void>): Promise<void> {
  for (const begin = performance.now(); ; await sleep(startRetryMs)) {
    try {
      return await step();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() - begin > startTimeoutMs) explainUnavailable(error);
    }
  }
}

/** @throws ExplainedError if the database is unavailable, else the error itself. */
export function explainUnavailable(error: unknown): never {
  if (!isDatabaseUnavailable(error)) throw error;
  // The message of the driver adapter may be only the kind of the error. Prisma's ends with a sentence.
  const reasons = layersOf(error).flatMap(({ message }) =>
    typeof message === 'string' ? message.trim().split('\n') : [],
  );
  const reason = reasons.findLast((line) => line.includes(' ')) ?? reasons.at(-1);
  const text = `The database is not available: ${reason?.replace(/\.$/, '')}. Check its server and its locks, then try again.`;
  throw new ExplainedError(text, { cause: error });
}
