import { PetstoreClient, type PetstoreClientOptions } from '@petstore/client';
import { readLogin } from './config-file.js';
import { Unauthorized, UsageError } from './exit-codes.js';

/** Flags that every command has. */
export interface GlobalFlags {
  url?: string;
  key?: string;
  json?: true;
}

/** The service, and the API key for it. */
export interface Connection {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
}

const defaultUrl = 'http://localhost:3000';

/** Reads the address and the API key: from flags, then the environment, then the saved login. */
export async function findConnection(flags: GlobalFlags): Promise<Connection> {
  const { PETSTORE_URL, PETSTORE_API_KEY } = process.env;
  const givenUrl = flags.url || PETSTORE_URL;
  const givenKey = flags.key || PETSTORE_API_KEY;
  const login = givenUrl && givenKey ? undefined : await readLogin();
  const baseUrl = toBaseUrl(givenUrl || login?.url || defaultUrl);
  // The saved key belongs to the saved address. It must not be sent to another server.
  const savedKey = login && toBaseUrl(login.url) === baseUrl ? login.apiKey : undefined;
  const apiKey = givenKey || savedKey;
  if (apiKey) return { baseUrl, apiKey };
  throw new Unauthorized(`There is no API key for ${baseUrl}. Run \`petstore login\`, or set PETSTORE_API_KEY.`);
}

export function createClient(connection: Connection, options: Partial<PetstoreClientOptions> = {}): PetstoreClient {
  try {
    return new PetstoreClient({ ...connection, ...options });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** Accepts the address of the service with or without `/v1`. */
export function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !(url.username + url.password + url.search + url.hash);
  if (!isPlain) throw new UsageError(`The address must be an http or https URL, such as ${defaultUrl}.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
}
