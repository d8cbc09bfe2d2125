import { setTimeout as sleep } from 'node:timers/promises';
import { type Pet, petStatuses } from '@petstore/contracts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Api, type ApiResponse } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { addPet, idsOf, linkOf } from '../support/pets.js';
import { useAppOn, useTestApp } from '../support/test-app.js';

const service = useTestApp();
let link: DatabaseLink;
beforeAll(async () => {
  link = await DatabaseLink.to(service.databaseUrl);
  return () => link.cut();
});
/** A second process. Tests can delay the responses of its database, so that requests wait and share a batch. */
const slow = useAppOn(() => link.url);
let apis: [Api, Api];
beforeAll(() => {
  apis = [service.api, new Api(slow.url, service.key)];
});
afterEach(() => {
  link.delayMs = 0;
});

/** Sends again after a 503, as clients do: a busy machine may take long. */
async function answered(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await send();
  if (response.status !== 503) return response;
  await sleep(1000);
  return answered(send);
}

/** Starts all reads on all processes, and returns those that miss the pet. */
async function missing({ id, status, name, categoryId }: Pet): Promise<string[]> {
  const filters = ['', `&status=${status}`, `&categoryId=${categoryId}`, `&q=${name}`];
  const lists = [
    ...filters.map((filter) => `?order=desc&limit=100${filter}`),
    `?id=${id}`,
    `?id=${id}&status=${status}`,
  ];
  const results = apis.flatMap((api, process) => [
    ...lists.map(
      async (query) =>
        [`${process} ${query}`, idsOf(await answered(() => api.get(`/v1/pets${query}`))).includes(id)] as const,
    ),
    answered(() => api.get(`/v1/pets/${id}`)).then((response) => [`${process} get`, response.status === 200] as const),
  ]);
  return (await Promise.all(results)).filter(([, found]) => !found).map(([request]) => request);
}

describe('a client that received its 201', () => {
  it('finds the pet in every list and get that it sends afterwards, on any process, among 15 other clients', async () => {
    const clients = Array.from({ length: 16 }, async (_, number) => {
      const status = petStatuses[number % petStatuses.length];
      const api = number % 2 === 0 ? apis[0] : apis[1];
      const { json } = await answered(() => api.post('/v1/pets', { name: 'Rex', categoryId: 7, status }));
      return missing(json as Pet);
    });
    expect((await Promise.all(clients)).flat()).toEqual([]);
  });

  it('gets a total that includes the pet, while other clients count', async () => {
    const total = async () => {
      const { headers } = await slow.api.get('/v1/pets?limit=1', { prefer: 'count=exact' });
      return Number(headers.get('x-total-count'));
    };
    link.delayMs = 50;
    const before = await total();
    for (let added = 1; added <= 5; added += 1) {
      const others = [total(), total(), total()];
      await addPet(service.api);
      expect(await total()).toBe(before + added);
      await Promise.all(others);
    }
  });
});

describe('requests in one batch', () => {
  const contentOf = ({ status, text, headers }: ApiResponse) => ({ status, text, link: headers.get('link') });

  it('each get their own page, link to the next one, pet or 404', async () => {
    link.delayMs = 100;
    await service.sql('TRUNCATE pet CASCADE');
    const ids: bigint[] = [];
    for (let number = 0; number < 24; number += 1) {
      const status = ['available', 'pending', 'pending', 'sold'][number % 4];
      ids.push((await addPet(service.api, { name: `"Rex"\n${number} Ä\\`, categoryId: number, status })).id);
    }
    const firsts = ['', '&status=available', '&status=pending', '&status=sold'].flatMap((filter) =>
      ['asc', 'desc'].flatMap((order) =>
        [1, 6, 7, 100].map((limit) => `/v1/pets?order=${order}${filter}&limit=${limit}`),
      ),
    );
    const nexts = await Promise.all(firsts.map(async (first) => linkOf(await service.api.get(first), 'next') ?? first));
    const gets = [...ids, 999_999n].flatMap((id) => [`/v1/pets/${id}`, `/v1/pets?id=${id}&status=pending`]);
    const paths = [...firsts, ...nexts, ...gets];
    const separate = [];
    for (const path of paths) separate.push(contentOf(await service.api.get(path)));
    const batched = await Promise.all(paths.map((path) => slow.api.get(path)));
    expect(batched.map(contentOf)).toEqual(separate);
  });

  it('each create their own pet, also when PostgreSQL rejects another one', async () => {
    link.delayMs = 20;
    await service.sql(`ALTER TABLE pet ADD CONSTRAINT no_max CHECK (name <> 'Max')`);
    const names = Array.from({ length: 6 }, (_, number) => (number === 3 ? 'Max' : `Bella ${number}`));
    const create = (name: string) => slow.api.post('/v1/pets', { name, categoryId: 7 });
    // After the rejection each create of the batch runs alone, and a 503 rejects one that has waited for 1.5 s.
    const responses = await Promise.all(names.map((name) => answered(() => create(name))));
    for (const [number, { status, headers, text }] of responses.entries()) {
      expect(status).toBe(names[number] === 'Max' ? 500 : 201);
      if (status === 500) continue;
      expect(text).toContain(`"name":"Bella ${number}","categoryId":7,"status":"available"`);
      expect((await service.api.get(headers.get('location') ?? '')).text).toBe(text);
    }
    const created = await service.sql(`SELECT name FROM pet WHERE name LIKE 'Bella _' ORDER BY name`);
    expect(created.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'Max'));
  });
});
