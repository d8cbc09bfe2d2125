import type { Pet } from '@petstore/contracts';
import { petStatuses } from '@petstore/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { addPet, idsOf } from '../support/pets.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let second: TestApp;
let apis: [Api, Api];
beforeAll(async () => {
  service = await startTestApp();
  second = await startOn(service.databaseUrl);
  apis = [service.api, new Api(second.url, service.key)];
});
afterAll(async () => {
  await second.close();
  await service.close();
});

/** Starts all reads on all processes, and returns those that miss the pet. */
async function missing({ id, status }: Pet): Promise<string[]> {
  const lists = [
    `?id=${id}`,
    `?id=${id}&status=${status}`,
    '?order=desc&limit=100',
    `?order=desc&limit=100&status=${status}`,
  ];
  const reads = apis.flatMap((api, process) => [
    ...lists.map(
      async (query) => [`${process} ${query}`, idsOf(await api.get(`/v1/pets${query}`)).includes(id)] as const,
    ),
    api.get(`/v1/pets/${id}`).then((response) => [`${process} get`, response.status === 200] as const),
  ]);
  return (await Promise.all(reads)).filter(([, found]) => !found).map(([read]) => read);
}

describe('a client that received its 201', () => {
  it('finds the pet in every list and get that it sends afterwards, on any process, among 49 other clients', async () => {
    const clients = Array.from({ length: 50 }, async (_, number) => {
      const status = petStatuses[number % petStatuses.length];
      return missing(await addPet(number % 2 === 0 ? apis[0] : apis[1], { status }));
    });
    expect((await Promise.all(clients)).flat()).toEqual([]);
    expect(idsOf(await service.api.get('/v1/pets?limit=100'))).toHaveLength(50);
  }, 60_000);
});
