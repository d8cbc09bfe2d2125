import { type ErrorBody, type Pet, type PetStatus, petStatuses } from '@petstore/contracts';
import { type ApiErrorCode, PetstoreApiError } from './errors.js';
import { parseWithNumbersAsTexts } from './exact-json.js';
import type { PetPage } from './pet-list.js';
import { retryAfter } from './retry-after.js';

/** @throws PetstoreApiError `unexpected_answer` when the answer has no animal. */
export async function readPet(answer: Response): Promise<Pet> {
  return understand(answer, (text) => toPet(parseWithNumbersAsTexts(text)));
}

/** @throws PetstoreApiError `unexpected_answer` when the answer is no list of animals. */
export async function readPage(answer: Response): Promise<Omit<PetPage, 'total'>> {
  return understand(answer, (text) => ({
    pets: (parseWithNumbersAsTexts(text) as unknown[]).map(toPet),
    next: nextCursor(answer.headers.get('link') ?? ''),
  }));
}

/** How many animals the whole list has; `undefined` when the answer does not say. */
export function readTotal({ headers }: Response): number | undefined {
  const total = headers.get('x-total-count') ?? '';
  return /^\d+$/.test(total) ? Number(total) : undefined;
}

/** The error that an answer with an error status stands for. */
export async function readError(answer: Response, cause: unknown): Promise<PetstoreApiError> {
  const body = errorBody(await answer.text(), answer);
  return body ? apiError(answer, { ...body, cause }) : unexpectedAnswer(answer, cause);
}

async function understand<T>(answer: Response, read: (text: string) => T): Promise<T> {
  const text = await answer.text();
  try {
    return read(text);
  } catch (error) {
    throw unexpectedAnswer(answer, error);
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
  throw new TypeError('a name must be a string');
}

/** Rejects an unknown status: the API has no others, and programs handle each one. */
function toStatus(value: unknown): PetStatus {
  const status = petStatuses.find((known) => known === value);
  if (status) return status;
  throw new TypeError(`a status must be one of ${petStatuses.join(', ')}`);
}

/** `BigInt` alone would find an integer in `''` and in `true`. */
function toInteger(text: unknown): bigint {
  if (typeof text === 'string' && /^-?\d+$/.test(text)) return BigInt(text);
  throw new TypeError('an id must be an integer');
}

/** Only the cursor of the link is taken: the host and the path are those that the client was made with. */
function nextCursor(link: string): string | undefined {
  const next = /<([^<>]*)>[^<]*;\s*rel="?next\b/.exec(link)?.[1];
  if (next === undefined) return undefined;
  const after = new URL(next, 'http://any').searchParams.get('after');
  if (after === null) throw new TypeError('the link to the next page has no cursor');
  return after;
}

/** Known by its form and not by its code: the service may be newer than the client. */
function errorBody(text: string, answer: Response): { code: ApiErrorCode; message: string } | undefined {
  try {
    const { code, message, status } = JSON.parse(text) as Record<keyof ErrorBody, unknown>;
    const isError = typeof code === 'string' && typeof message === 'string' && status === answer.status;
    return isError ? { code, message } : undefined;
  } catch {
    return undefined;
  }
}

function unexpectedAnswer(answer: Response, cause: unknown): PetstoreApiError {
  const type = answer.headers.get('content-type') ?? 'no content type';
  const message = `This answer is not one of the Petstore API: HTTP ${answer.status}, ${type}`;
  return apiError(answer, { code: 'unexpected_answer', message, cause });
}

function apiError(answer: Response, facts: { code: ApiErrorCode; message: string; cause: unknown }): PetstoreApiError {
  const { code, message, cause } = facts;
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  return new PetstoreApiError({
    code,
    message,
    cause,
    status: answer.status,
    requestId,
    retryAfter: retryAfter(answer),
  });
}
