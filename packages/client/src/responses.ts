import { parseJson, type Pet, type PetStatus, petStatuses } from '@petstore/contracts';
import { unexpectedResponse } from './error-response.js';
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

async function readBody<T>(response: Response, read: (text: string) => T): Promise<T> {
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
  throw new TypeError('`name` must be a string.');
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
  if (typeof value === 'bigint') return value;
  throw new TypeError('Ids must be integers.');
}

/** Uses only the cursor of the link: host and path stay those of the client's `baseUrl`. */
function nextCursor(link: string): string | undefined {
  const next = /<([^<>]*)>[^<]*;\s*rel="?next\b/.exec(link)?.[1];
  if (next === undefined) return undefined;
  const after = new URL(next, 'http://any').searchParams.get('after');
  if (after === null) throw new TypeError('The link to the next page has no cursor.');
  return after;
}
