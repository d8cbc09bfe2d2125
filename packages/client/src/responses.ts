import { type ErrorBody, isInt64, parseJson, type Pet, type PetStatus, petStatuses } from '@petstore/contracts';
import { type ApiErrorCode, PetstoreApiError } from './errors.js';
import type { PetPage } from './pet-list.js';

/** @throws PetstoreApiError `unexpected_response` if the body is not an animal. */
export async function readPet(response: Response): Promise<Pet> {
  return readBody(response, (text) => toPet(parseJson(text)));
}

/** @throws PetstoreApiError `unexpected_response` if the body is not a list of animals. */
export async function readPage(response: Response): Promise<Omit<PetPage, 'total'>> {
  return readBody(response, (text) => ({
    pets: (parseJson(text) as unknown[]).map(toPet),
    next: nextCursor(response.headers.get('link') ?? ''),
  }));
}

/** Returns the number of animals in the whole list, or `undefined` if the response has no valid total. */
export function readTotal({ headers }: Response): number | undefined {
  const total = headers.get('x-total-count') ?? '';
  return /^\d+$/.test(total) ? Number(total) : undefined;
}

/** @throws PetstoreApiError `unexpected_response` if `read` rejects the body. */
export async function readBody<T>(response: Response, read: (text: string) => T): Promise<T> {
  const text = await response.text();
  try {
    return read(text);
  } catch (error) {
    throw unexpectedResponse(response, error, error instanceof UnknownStatus ? error.message : undefined);
  }
}

/** Reads each field of a pet. A new field does not compile until it is here. */
const petFields: { [Field in keyof Required<Pet>]: (value: unknown) => Pet[Field] } = {
  id: toInteger,
  name: toText,
  categoryId: toInteger,
  status: toStatus,
};

function toPet(value: unknown): Pet {
  const members = value as Record<string, unknown>;
  const fields = Object.entries(petFields).map(([field, read]) => [field, read(members[field])]);
  return Object.fromEntries(fields) as Pet;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('A text of an animal must be a string.');
}

/** A newer service has a status that this version of the client does not know. */
class UnknownStatus extends TypeError {}

/** Rejects an unknown status, because programs handle each known one. */
function toStatus(value: unknown): PetStatus {
  const status = petStatuses.find((known) => known === value);
  if (status) return status;
  throw new UnknownStatus(
    `The response has the new status ${JSON.stringify(value)}. Known are: ${petStatuses.join(', ')}. Update @petstore/client.`,
  );
}

function toInteger(value: unknown): bigint {
  if (isInt64(value)) return value;
  throw new TypeError('Ids must be int64.');
}

/** Uses only the cursor of the link: host and path stay those of the client's `baseUrl`. */
function nextCursor(link: string): string | undefined {
  const next = /<([^<>]*)>[^<]*;\s*rel="?next\b/.exec(link)?.[1];
  if (next === undefined) return undefined;
  const after = new URL(next, 'http://any').searchParams.get('after');
  if (after === null) throw new TypeError('The link to the next page has no cursor.');
  return after;
}

/** The error of a response that is not 2xx. `cause` is the original error. */
export async function readError(response: Response, cause: unknown): Promise<PetstoreApiError> {
  const body = errorBody(await response.text(), response);
  return body ? apiError(response, { ...body, cause }) : unexpectedResponse(response, cause);
}

/** Recognizes an error by its members, not its code: a newer service may have further codes. */
function errorBody(text: string, response: Response): { code: ApiErrorCode; message: string } | undefined {
  try {
    const { code, message, status } = JSON.parse(text) as Record<keyof ErrorBody, unknown>;
    const isError = typeof code === 'string' && typeof message === 'string' && status === response.status;
    return isError ? { code, message } : undefined;
  } catch {
    return undefined;
  }
}

/** The error of a response that is not from the API. */
function unexpectedResponse(response: Response, cause: unknown, reason?: string): PetstoreApiError {
  const type = response.headers.get('content-type') ?? 'no content type';
  const message = reason ?? `The response is not from the Petstore API: HTTP ${response.status}, ${type}`;
  return apiError(response, { code: 'unexpected_response', message, cause });
}

function apiError(
  response: Response,
  details: { code: ApiErrorCode; message: string; cause: unknown },
): PetstoreApiError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new PetstoreApiError({ ...details, status: response.status, requestId, retryAfter: retryAfter(response) });
}

/** Returns the seconds of `Retry-After` (RFC 9110, section 10.2.3), or `undefined` if it is missing or invalid. */
export function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Date.parse alone accepts 1.5 and -1 as years.
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** ky reads them too. */
const similarHeaders = ['ratelimit-reset', 'x-ratelimit-retry-after', 'x-ratelimit-reset', 'x-rate-limit-reset'];

/** Removes headers of an error that this client does not read. ky would wait for them, longest for invalid ones. */
export function removeUnknownDelays(response: Response): Response {
  if (response.ok) return response;
  const ignored = retryAfter(response) === undefined ? ['retry-after', ...similarHeaders] : similarHeaders;
  for (const name of ignored) response.headers.delete(name);
  return response;
}
