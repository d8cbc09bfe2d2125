import { errorMessage } from '../error-notice.js';
import { formatAnimals, formatCount, formatTime } from '../format.js';
import type { KnownPetsState } from './known-pets.js';

/** "Searched 2,521 animals, updated 14:02". `action` is what the page did with them. */
export function knownText(known: KnownPetsState, action: 'Searched' | 'Counted' = 'Searched'): string {
  const { searched, total, isComplete, updatedAt, error } = known;
  const problem = error === undefined ? '' : `${errorMessage(error, 'see animals').title}. `;
  const time = updatedAt === undefined ? '' : formatTime(updatedAt);
  const newest = newestText(known);
  const animals = newest === undefined ? formatAnimals(searched) : `${newest} animals`;
  if (isComplete) return `${problem}${action} ${animals}, updated ${time}`;
  if (searched === 0 && problem) return `${problem}Names can't be searched now.`;
  const all = total === undefined ? 'animals' : `of about ${formatCount(total)} animals`;
  return `${problem}${action} ${formatCount(searched)} ${all} so far${problem ? '.' : '…'}`;
}

/** "the newest 100,000", if this device does not know all. */
export function newestText({ searched, isLimitReached }: KnownPetsState): string | undefined {
  return isLimitReached ? `the newest ${formatCount(searched)}` : undefined;
}
