import { type Attempt, connectionFault, PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import { type ApiKeyScope, type KeyInfo, printable, removeBearer } from '@petstore/contracts';
import { readLogin } from './config-file.js';
import { CommandError, exitCodes, UsageError } from './errors.js';
import { printLine } from './output.js';

/** Flags that every command has. */
export interface GlobalFlags {
  url?: string;
  key?: string;
  json?: true;
  debug?: true;
  /** `false` with `--no-wait`. */
  wait?: boolean;
}

/** The options of every client of a command: the service, the API key, and how requests are sent. */
export interface Connection extends PetstoreClientOptions {
  /** Ends in `/v1`. */
  baseUrl: string;
}

/** A rate limit counts the requests of a minute. */
const maxRetryAfterMs = 60_000;

export const defaultUrl = 'http://localhost:3000';

/** Reads the address and the API key: from flags, then the environment, then the saved login. */
export async function findConnection(flags: GlobalFlags): Promise<Connection> {
  const givenUrl = flags.url ?? readVariable('PETSTORE_URL');
  const givenKey = flags.key ?? readVariable('PETSTORE_API_KEY');
  const login = givenUrl && givenKey ? undefined : await readLogin();
  const baseUrl = toBaseUrl(givenUrl ?? login?.url ?? defaultUrl);
  // The saved key belongs to the saved address. It must not be sent to another server.
  const savedKey = login && toBaseUrl(login.url) === baseUrl ? login.apiKey : undefined;
  const apiKey = removeBearer(givenKey ?? savedKey ?? '');
  if (apiKey) return toConnection(baseUrl, apiKey, flags);
  throw new CommandError(
    `There is no API key for ${baseUrl}. Run \`petstore login\`, or set PETSTORE_API_KEY.`,
    exitCodes.unauthorized,
  );
}

/**
 * An empty variable is often one of a script that is not set. It must not lead to the saved login, which may be of another store.
 * @throws UsageError
 */
export function readVariable(name: 'PETSTORE_URL' | 'PETSTORE_API_KEY'): string | undefined {
  const value = process.env[name];
  if (value === undefined || value.trim() !== '') return value;
  throw new UsageError(`${name} is empty. Set it, or unset it to use the saved login.`);
}

/** @throws UsageError if the key has characters that cannot be sent. */
export function toConnection(baseUrl: string, apiKey: string, flags: GlobalFlags): Connection {
  const connection = {
    baseUrl,
    apiKey,
    maxRetryAfterMs: flags.wait === false ? 0 : maxRetryAfterMs,
    onAttempt: flags.debug && printAttempt,
    onWait: printWait,
  };
  try {
    void new PetstoreClient(connection);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  return connection;
}

function printAttempt({ method, url, status, durationMs, requestId = 'none', error }: Attempt): void {
  const reason = error instanceof Error ? `: ${printable(connectionFault(error) ?? error.message)}` : '';
  const outcome = `${status ?? 'no response'} after ${Math.round(durationMs)} ms`;
  console.error(`${method} ${url}: ${outcome}, request id ${requestId}${reason}`);
}

/** @param wait for the rate limit (429), or for a service that does not answer */
export function printWait({ seconds, status }: { seconds: number; status: number | undefined }): void {
  printLine(status === 429 ? `Waiting ${seconds} s for the rate limit` : 'Waiting for the service');
}

export async function connectClient(flags: GlobalFlags): Promise<PetstoreClient> {
  return new PetstoreClient(await findConnection(flags));
}

/**
 * Accepts the address of the service with or without `/v1`.
 * @throws UsageError
 */
export function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !(url.username + url.password + url.search + url.hash);
  if (!isPlain) throw new UsageError(`The address must be an http or https URL, such as ${defaultUrl}.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
}

/** @throws CommandError if the key does not have the scope. */
export function requireScope({ id, name, scopes }: KeyInfo, scope: ApiKeyScope): void {
  if (scopes.includes(scope)) return;
  throw new CommandError(`API key ${id} ("${name}") does not have the scope \`${scope}\`.`, exitCodes.unauthorized);
}
