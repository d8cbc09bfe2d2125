import { errorMessage } from '../error-notice.js';
import { formatCount, formatTime } from '../format.js';
import type { KnownPetsState } from './known-pets.js';

/** "Searched 2,521 animals, updated 14:02". `action` is what the page did with them. */
export function knownText(known: KnownPetsState, action: 'Searched' | 'Counted' = 'Searched'): string {
  const { searched, total, isComplete, isLimitReached, updatedAt, error } = known;
  const problem = error === undefined ? '' : `${errorMessage(error, 'see animals').title}. `;
  const count = formatCount(searched);
  const time = updatedAt === undefined ? '' : formatTime(updatedAt);
  if (isComplete) return `${problem}${action} ${isLimitReached ? 'the newest ' : ''}${count} animals, updated ${time}`;
  if (searched === 0 && problem) return `${problem}Names can't be searched now.`;
  const all = total === undefined ? 'animals' : `of about ${formatCount(total)} animals`;
  return `${problem}${action} ${count} ${all} so far${problem ? '.' : '…'}`;
}
