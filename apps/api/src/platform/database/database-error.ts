/** Prisma's codes for a database that is away, lets this service no longer in, has no connection left, or is too slow. */
const unavailableCodes = /^(P1000|P1001|P1002|P1003|P1008|P1010|P1017|P2024|P2028|P2037)$/;

/**
 * PostgreSQL's SQLSTATEs for the same (https://www.postgresql.org/docs/current/errcodes-appendix.html): the classes
 * connection (08), authorization (28), insufficient resources (53), operator intervention (57) and system error (58),
 * a server that is read-only for now, a transaction that was ended for being idle, a database that is not there or
 * accepts no connections, a lock that somebody holds for too long.
 */
const unavailableStates = /^(08|28|53|57|58)|^(25006|25P03|3D000|55000|55P03)$/;

/** What Node says of a socket that broke or never opened. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);

const unavailableKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
  'AuthenticationFailed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
]);

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
 * Whether an error means that the database cannot serve right now, so that the same request may succeed later.
 * An error of a query is wrapped several times: Prisma, its driver adapter, pg; each layer is looked at.
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
  const codes = [code, originalCode].filter((value) => typeof value === 'string');
  if (codes.some((value) => unavailableCodes.test(value) || socketCodes.has(value))) return true;
  if (codes.some((value) => value.length === 5 && unavailableStates.test(value))) return true;
  if (typeof kind === 'string' && unavailableKinds.has(kind)) return true;
  return typeof message === 'string' && unavailableMessages.test(message);
}

/** Whether PostgreSQL refused a statement, which then had no effect; of a connection that broke nobody knows. */
export function isRefusal(error: unknown): boolean {
  const state = layersOf(error).find(({ originalCode }) => typeof originalCode === 'string');
  return state !== undefined && !isDatabaseUnavailable(error);
}
