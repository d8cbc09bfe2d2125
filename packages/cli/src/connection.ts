import { PetstoreApiError, PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import {
  type ApiKeyScope,
  type Category,
  connectionFault,
  type ErrorBody,
  ExplainedError,
  type KeyInfo,
  parseJson,
  printable,
  removeBearer,
} from '@petstore/contracts';
import { readLogin } from './config-file.js';
import { fetchOf } from './debug.js';
import { CommandError, exitCodes, UsageError } from './errors.js';

/** Flags that every command has. */
export interface GlobalFlags {
  url?: string;
  key?: string;
  json?: true;
  debug?: true;
  /** `false` with `--no-wait`. */
  wait?: boolean;
}

/** The service, and the API key for it. */
export interface Credentials {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
  fetch: typeof fetch;
}

/** The client waits for this long. `RateLimitGate` waits for longer, and shows it. */
export const maxRetryAfterMs = 2000;

export const defaultUrl = 'http://localhost:3000';

/** Reads the address and the API key: from flags, then the environment, then the saved login. */
export async function findCredentials(flags: GlobalFlags): Promise<Credentials> {
  const givenUrl = flags.url ?? readVariable('PETSTORE_URL');
  const givenKey = flags.key ?? readVariable('PETSTORE_API_KEY');
  const login = givenUrl && givenKey ? undefined : await readLogin();
  const baseUrl = toBaseUrl(givenUrl ?? login?.url ?? defaultUrl);
  // The saved key belongs to the saved address. It must not be sent to another server.
  const savedKey = login && toBaseUrl(login.url) === baseUrl ? login.apiKey : undefined;
  const apiKey = removeBearer(givenKey ?? savedKey ?? '');
  if (apiKey) return { baseUrl, apiKey, fetch: fetchOf(flags) };
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

/** @throws UsageError if the address or the key is invalid. */
export function createClient(credentials: Credentials, options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  try {
    return new PetstoreClient({ ...credentials, maxRetryAfterMs, ...options });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** The client of most commands. With `--no-wait`, it waits for no `Retry-After`. */
export async function connectClient(flags: GlobalFlags): Promise<PetstoreClient> {
  return createClient(await findCredentials(flags), flags.wait === false ? { maxRetryAfterMs: 0 } : {});
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

const timeoutMs = 10_000;

/**
 * Reads the name and the scopes of the API key.
 * @throws UsageError, ExplainedError, or PetstoreApiError
 */
export async function readKeyInfo(credentials: Credentials): Promise<KeyInfo> {
  const keyInfo = JSON.parse(await readFromService('/key.json', credentials)) as KeyInfo;
  if (Array.isArray(keyInfo.scopes)) return keyInfo;
  throw new ExplainedError(`${credentials.baseUrl} is not the address of a Petstore service.`);
}

/** Reads the names of the categories. Requires the scope `read`. */
export async function readCategories(credentials: Credentials): Promise<Category[]> {
  return parseJson(await readFromService('/categories.json', credentials)) as Category[];
}

/** @throws CommandError if the key does not have the scope. */
export function requireScope({ id, name, scopes }: KeyInfo, scope: ApiKeyScope): void {
  if (scopes.includes(scope)) return;
  throw new CommandError(`API key ${id} ("${name}") does not have the scope \`${scope}\`.`, exitCodes.unauthorized);
}

/** Reads a JSON document that is not under `/v1`, which the client does not read. */
async function readFromService(path: string, credentials: Credentials): Promise<string> {
  // Validates the key before it is sent.
  createClient(credentials);
  const url = credentials.baseUrl.replace(/\/v1$/, path);
  const { response, text } = await request(url, credentials);
  const { ok, status, headers } = response;
  const location = headers.get('location');
  if (location) throw new ExplainedError(`${url} redirects to ${printable(location)}. Use the final address instead.`);
  const isJson = /^application\/json\b/.test(headers.get('content-type') ?? '');
  if (ok && isJson) return text;
  const foreign = { code: 'unexpected_response', message: `${url} is not from a Petstore service: HTTP ${status}` };
  const { code, message } = { ...foreign, ...(isJson && (JSON.parse(text) as ErrorBody)) };
  const retryAfter = Number(headers.get('retry-after')) || undefined;
  throw new PetstoreApiError({ code, message, status, retryAfter, requestId: undefined, cause: undefined });
}

/** Follows no redirect: the key must not be sent to another server. */
async function request(url: string, credentials: Credentials): Promise<{ response: Response; text: string }> {
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  // Not `AbortSignal.timeout`: its timer lets the process end, with exit code 0, while the `fetch` of Node 20 waits forever
  // for a server that closes each connection at once.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  try {
    const response = await credentials.fetch(url, { headers, redirect: 'manual', signal: timeout.signal });
    return { response, text: await response.text() };
  } catch (error) {
    const reason = connectionFault(error) ?? (error as Error).message.replace(/\.$/, '');
    const message = `The connection to ${url} failed: ${printable(reason)}. Check the address, and that the service runs.`;
    throw new ExplainedError(message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
