import { readDeviceState, writeDeviceState } from '../browser-storage.js';
import { formatTime } from '../format.js';

/** The newest animal at a time. */
export interface VisitMark {
  /** Its number, as text: storage has no bigint. */
  id: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** What this device remembers about earlier looks at the store. */
export interface Visits {
  /** The first update of today. */
  day?: VisitMark;
  /** The last time that the Overview was open. */
  last?: VisitMark;
  /** The time before that one. */
  previous?: VisitMark;
}

const storageName = 'petstore.visits';
/** Several looks within this time are one visit. */
const visitMs = 30 * 60_000;

export function readVisits(): Visits {
  return readDeviceState(storageName);
}

/** The first look of today, if there was one. */
export function todayMark({ day }: Visits = readVisits()): VisitMark | undefined {
  return day && isSameDay(day.at, Date.now()) ? day : undefined;
}

/** "New since 08:55" for what this device remembers, else "Added after number 15". */
export function newSinceText(id: string): string {
  const { previous, ...visits } = readVisits();
  const mark = [todayMark(visits), previous].find((known) => known?.id === id);
  return mark ? `New since ${formatTime(mark.at)}` : `Added after number ${id}`;
}

/** Remembers the newest animal of the first look at the store on a day. */
export function noteUpdate(newestId: bigint, at: number): void {
  const visits = readVisits();
  if (visits.day && (at < visits.day.at || isSameDay(at, visits.day.at))) return;
  writeDeviceState(storageName, { ...visits, day: { id: String(newestId), at } });
}

function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** Call it when the Overview shows the store as of a time. */
export function noteVisit(newestId: bigint, at: number): void {
  writeDeviceState(storageName, afterVisit(readVisits(), { id: String(newestId), at }));
}

/** The visit before, at least half an hour ago, stays the one to compare with. */
export function afterVisit(visits: Visits, mark: VisitMark): Visits {
  const { last } = visits;
  if (!last) return { ...visits, last: mark };
  if (mark.at - last.at < visitMs) return { ...visits, last: mark };
  return { ...visits, previous: last, last: mark };
}
