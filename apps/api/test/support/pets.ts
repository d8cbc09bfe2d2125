import type { Pet } from '@petstore/contracts';
import { expect } from 'vitest';
import type { Answer, Api } from './api.js';

export async function addPet(api: Api, members: Record<string, unknown> = {}): Promise<Pet> {
  const answer = await api.post('/v1/pets', { name: 'Rex', categoryId: 7, ...members });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Pet;
}

/** One after the other, so that their ids ascend. */
export async function addPets(api: Api, count: number, members?: Record<string, unknown>): Promise<Pet[]> {
  const pets = [];
  for (let number = 1; number <= count; number += 1) pets.push(await addPet(api, members));
  return pets;
}

/** The ids of a list, in its order. */
export function idsOf(answer: Answer): bigint[] {
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as Pet[]).map(({ id }) => id);
}

/** Where a Link header points to. */
export function linkOf({ headers }: Answer, rel: string): string | undefined {
  return new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1];
}

/** Every page of a list, from `path` on by the links to the next. */
export async function walk(api: Api, path: string): Promise<bigint[][]> {
  const pages = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await api.get(next);
    pages.push(idsOf(answer));
    next = linkOf(answer, 'next');
  }
  return pages;
}
