import { type ApiKeyScope, type ErrorBody, ExplainedError, type KeyInfo } from '@petstore/contracts';
import type { Connection } from './connection.js';
import { Unauthorized } from './exit-codes.js';

const timeoutMs = 10_000;

/** Reads the name and the scopes of the API key. */
export async function readKeyInfo({ baseUrl, apiKey }: Connection): Promise<KeyInfo> {
  const url = baseUrl.replace(/\/v1$/, '/key.json');
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await request(url, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const body = (await response.json().catch(() => undefined)) as KeyInfo | ErrorBody | undefined;
  if (body && 'scopes' in body) return body;
  if (response.status === 401) throw new Unauthorized(`The API key for ${baseUrl} is unknown, expired or revoked.`);
  const reason = body?.message ?? `HTTP ${response.status}`;
  throw new ExplainedError(`${url} did not return information about the API key: ${reason}`);
}

/** @throws Unauthorized if the key does not have the scope. */
export function requireScope({ id, name, scopes }: KeyInfo, scope: ApiKeyScope): void {
  if (scopes.includes(scope)) return;
  throw new Unauthorized(`API key ${id} ("${name}") does not have the scope \`${scope}\`.`);
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new ExplainedError(`The connection to ${url} failed. Check the address, and that the service runs.`, {
      cause: error,
    });
  }
}
