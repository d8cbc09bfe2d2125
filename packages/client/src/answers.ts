import { type ErrorBody, errorStatuses, type Pet } from '@petstore/contracts';
import { type ApiErrorCode, PetstoreApiError } from './errors.js';
import { parseWithNumbersAsTexts } from './exact-json.js';
import type { PetPage } from './pet-list.js';
import { retryAfter } from './retry-after.js';

/** @throws PetstoreApiError `unexpected_answer` when the answer has no animal. */
export async function readPet(answer: Response): Promise<Pet> {
  return understand(answer, (text) => toPet(parseWithNumbersAsTexts(text)));
}

/** @throws PetstoreApiError `unexpected_answer` when the answer is no list of animals. */
export async function readPage(answer: Response): Promise<PetPage> {
  return understand(answer, (text) => {
    const total = answer.headers.get('x-total-count');
    return {
      pets: (parseWithNumbersAsTexts(text) as unknown[]).map(toPet),
      next: nextCursor(answer.headers.get('link') ?? ''),
      total: total === null ? undefined : Number(total),
    };
  });
}

/** The error that an answer with an error status stands for. */
export async function readError(answer: Response, cause: unknown): Promise<PetstoreApiError> {
  const body = errorBody(await answer.text());
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

/** `BigInt` throws on all that is no integer; what it does not judge is taken as the service means it. */
function toPet(value: unknown): Pet {
  const { id, name, categoryId, status } = value as Record<keyof Pet, string>;
  return { id: BigInt(id), name, categoryId: BigInt(categoryId), status: status as Pet['status'] };
}

/** Only the cursor of the link is taken: the host and the path are those that the client was made with. */
function nextCursor(link: string): string | undefined {
  const next = /<([^<>]*)>[^<]*;\s*rel="?next\b/.exec(link)?.[1];
  if (next === undefined) return undefined;
  const after = new URL(next, 'http://any').searchParams.get('after');
  if (after === null) throw new TypeError('the link to the next page has no cursor');
  return after;
}

function errorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as ErrorBody;
    return Object.hasOwn(errorStatuses, body.code) && typeof body.message === 'string' ? body : undefined;
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
