import { fastify, LogController } from 'fastify';
import { apiKey, logLevel, port } from '../environment.js';
import { stopBySignal } from '../stop.js';
import * as pets from './pets.js';
import { createSchema, getSchema, listSchema } from './schemas.js';

/** Fastify, pg and SQL: as fast as a good engineer writes it in a day. */
const logController = new LogController({ disableRequestLogging: true });
const app = fastify({ logger: { level: logLevel }, logController });
const keys = new Map([[`Bearer ${apiKey}`, { name: 'benchmark' }]]);

app.addHook('onRequest', (request, reply, done) => {
  if (keys.has(request.headers.authorization ?? '')) return done();
  void reply.code(401).send({ code: 'invalid_api_key', message: 'The API key is not known.', status: 401 });
});

app.get<{ Querystring: pets.PageQuery }>('/v1/pets', { schema: listSchema }, async ({ query }, reply) => {
  const { limit, status } = query;
  // One more row than requested shows whether there is a next page.
  const found = await pets.page({ ...query, limit: limit + 1 });
  if (found.length <= limit) return found;
  found.length = limit;
  const filter = status === undefined ? '' : `&status=${status}`;
  void reply.header('Link', `</v1/pets?limit=${limit}${filter}&after=${found.at(-1)?.id}>; rel="next"`);
  return found;
});

app.get<{ Params: { petId: number } }>('/v1/pets/:petId', { schema: getSchema }, async ({ params }, reply) => {
  const pet = await pets.find(params.petId);
  if (pet) return pet;
  return reply.code(404).send({ code: 'pet_not_found', message: 'No animal has this id.', status: 404 });
});

app.post<{ Body: Omit<pets.Pet, 'id'> }>('/v1/pets', { schema: createSchema }, async ({ body }, reply) => {
  const pet = await pets.insert(body);
  void reply.code(201).header('Location', `/v1/pets/${pet?.id}`);
  return pet;
});

await app.listen({ port, host: '127.0.0.1' });
stopBySignal(() => app.close().then(() => pets.close()));
