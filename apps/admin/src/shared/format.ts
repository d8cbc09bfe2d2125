import type { Pet, PetStatus } from '@petstore/contracts';

/** 12345 as "12,345". Not with `Intl`: its first use takes a phone a tenth of a second. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** "1 animal", "4,750 animals" */
export function formatAnimals(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'animal' : 'animals'}`;
}

/** "14:02" in the form of the browser's language; with the date if it is not today. */
export function formatTime(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(navigator.languages, { timeStyle: 'short', ...(!isToday && { dateStyle: 'short' }) });
}

export const statusLabels: Record<PetStatus, string> = { available: 'Available', pending: 'Pending', sold: 'Sold' };

/** The names of the fields, in this order. A field that is added to the contracts does not compile until it is here. */
export const headings: Record<keyof Pet, string> = {
  id: 'Number',
  name: 'Name',
  categoryId: 'Category',
  status: 'Status',
};
