import { petStatuses } from '@petstore/contracts';
import type { Client } from 'pg';
import { afterId, expectedAnimals } from '../database/expected-responses.js';
import type { Exchange } from '../load/load-job.js';
import { Random } from './random.js';
import { getRequest, postRequest } from './requests.js';

/** The number of different requests. */
const requestCount = 20_000;
const breeds = ['Cat', 'Dog', 'Guinea pig', 'Budgerigar', 'Pony', 'Hedgehog', 'Corn snake', 'Axolotl', 'Übersee-Gans'];

/** Gets of random animals. */
export async function getExchanges(database: Client, animals: number): Promise<Exchange[]> {
  const random = new Random(2);
  const ids = Array.from({ length: requestCount }, () => 1 + random.below(animals));
  const bodies = await expectedAnimals(database, ids);
  return ids.map((id) => ({ request: getRequest(`/v1/pets/${id}`), status: 200, body: bodies.get(id) ?? '' }));
}

/** Creates of different animals. */
export function createExchanges(): Exchange[] {
  const random = new Random(3);
  return Array.from({ length: requestCount }, (_, index) => {
    const animal = {
      name: `${random.pick(breeds)} ${index + 1}`,
      categoryId: 1 + random.below(500),
      status: random.pick(petStatuses),
    };
    const request = postRequest(JSON.stringify(animal));
    return { request, status: 201, body: afterId(animal), assignsId: true };
  });
}
