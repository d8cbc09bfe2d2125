import { type PetStatus, petStatuses } from '@petstore/contracts';

export const pageSizes = [20, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

/** A list in the address: which animals, and which part of them. All keys are optional, so that links need none. */
export interface ListSearch {
  status?: PetStatus;
  limit?: PageSize;
  /** The cursor of this part. */
  after?: string;
  /** The number of this part, from 1. */
  page?: number;
  /** The cursors of the parts before this one, of the second part on: the API knows only the way forward. */
  trail?: string;
}

/** In parts: addresses stay short enough to be shared, and far from the limits of servers. */
const longestTrail = 40;

/** What an address says, as far as it says something that exists. */
export function listSearch(given: Record<string, unknown>): ListSearch {
  const status = petStatuses.find((name) => name === given.status);
  const limit = pageSizes.find((size) => String(size) === String(given.limit) && size !== pageSizes[0]);
  const base = { ...(status && { status }), ...(limit && { limit }) };
  if (typeof given.after !== 'string' || given.after === '') return base;
  const page = Math.max(2, Math.trunc(Number(given.page)) || 2);
  const trail = typeof given.trail === 'string' ? given.trail : '';
  return { ...base, after: given.after, page, ...(trail && { trail }) };
}

export function firstPart({ status, limit }: ListSearch): ListSearch {
  return { ...(status && { status }), ...(limit && { limit }) };
}

/** `next`: the cursor that the API gave. */
export function nextPart(search: ListSearch, next: string): ListSearch {
  const trail = [...cursorsOf(search), ...(search.after ? [search.after] : [])].slice(-longestTrail).join('.');
  return { ...firstPart(search), after: next, page: (search.page ?? 1) + 1, ...(trail && { trail }) };
}

/** `undefined` on the first part, and where the way back is not known any more. */
export function previousPart(search: ListSearch): ListSearch | undefined {
  const { after, page = 1 } = search;
  if (after === undefined) return undefined;
  if (page === 2) return firstPart(search);
  const trail = cursorsOf(search);
  const last = trail.pop();
  if (last === undefined) return undefined;
  return { ...firstPart(search), after: last, page: page - 1, ...(trail.length > 0 && { trail: trail.join('.') }) };
}

function cursorsOf({ trail = '' }: ListSearch): string[] {
  return trail === '' ? [] : trail.split('.');
}
