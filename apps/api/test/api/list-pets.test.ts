import { beforeEach, describe, expect, it } from 'vitest';
import { addPet, addPets, idsOf } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

const list = async (query: string) => idsOf(await service.api.get(`/v1/pets?${query}`));

describe('GET /v1/pets', () => {
  it('returns 200 with an empty array when there are no pets', async () => {
    const response = await service.api.get('/v1/pets');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.text).toBe('[]');
  });

  it('returns 200 with exactly the four members of each pet, and all digits of an int64', async () => {
    const first = await addPet(service.api, { name: ' Ünï 🐈 ', categoryId: 9223372036854775807n });
    const second = await addPet(service.api, { categoryId: -1, status: 'sold' });
    expect((await service.api.get('/v1/pets')).text).toBe(
      `[{"id":${first.id},"name":" Ünï 🐈 ","categoryId":9223372036854775807,"status":"available"},` +
        `{"id":${second.id},"name":"Rex","categoryId":-1,"status":"sold"}]`,
    );
  });

  it('returns 200 with 20 pets when the limit is omitted, else with as many as it allows', async () => {
    const ids = (await addPets(service.api, 21)).map(({ id }) => id);
    expect(await list('')).toEqual(ids.slice(0, 20));
    expect(await list('limit=2')).toEqual(ids.slice(0, 2));
    expect(await list('limit=100')).toEqual(ids);
  });
});

describe('GET /v1/pets?id=', () => {
  it('returns 200 with the one pet on the only page, also with the limit and order that tools fill in', async () => {
    const [, pet] = await addPets(service.api, 3);
    const response = await service.api.get(`/v1/pets?id=${pet?.id}`);
    expect(response.json).toEqual([pet]);
    expect(response.headers.get('link')).toBe(`</v1/pets?id=${pet?.id}>; rel="first"`);
    expect(await list(`id=${pet?.id}&limit=20&order=desc&status=available`)).toEqual([pet?.id]);
  });

  it('returns 200 with the pet only if it has the requested status', async () => {
    const { id } = await addPet(service.api, { status: 'sold' });
    const sold = await service.api.get(`/v1/pets?id=${id}&status=sold`);
    expect(idsOf(sold)).toEqual([id]);
    expect(sold.headers.get('link')).toBe(`</v1/pets?status=sold&id=${id}>; rel="first"`);
    expect(await list(`id=${id}&status=pending`)).toEqual([]);
  });

  it.each(['-9223372036854775808', '9223372036854775806'])(
    'returns 200 with an empty array when no pet has the id %s',
    async (id) => {
      expect(await list(`id=${id}`)).toEqual([]);
    },
  );
});
