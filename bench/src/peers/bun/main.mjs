import { Elysia, t } from 'elysia';
import postgres from 'postgres';

/** Elysia on Bun with postgres.js: one query per request, prepared statements, the pool of the other peers. */
const { API_KEY, DATABASE_URL, DATABASE_POOL_MAX, PORT } = process.env;
const url = new URL(DATABASE_URL);
const sql = postgres({
  host: url.searchParams.get('host'),
  user: url.username || url.searchParams.get('user'),
  database: url.pathname.slice(1),
  max: Number(DATABASE_POOL_MAX),
  // As in the handwritten peer: PostgreSQL does not plan each page again.
  connection: { plan_cache_mode: 'force_generic_plan' },
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
});
const authorization = `Bearer ${API_KEY}`;
const columns = sql`id, name, category_id AS "categoryId", status`;

const status = t.Union([t.Literal('available'), t.Literal('pending'), t.Literal('sold')]);
const listQuery = t.Object({
  limit: t.Numeric({ minimum: 1, maximum: 100, default: 20 }),
  status: t.Optional(status),
  after: t.Numeric({ minimum: 0, default: 0 }),
});
const newPet = t.Object({
  name: t.String({ minLength: 1, maxLength: 200 }),
  categoryId: t.Integer(),
  status: t.Optional(status),
});

const page = (after, limit) => sql`SELECT ${columns} FROM pet WHERE id > ${after} ORDER BY id LIMIT ${limit}`;
// With "status = $1", PostgreSQL scans the primary key and filters the other statuses.
const pageOfStatus = (wanted, after, limit) => sql`
  SELECT ${columns} FROM pet WHERE (status, id) > (${wanted}, ${after}) AND status <= ${wanted}
  ORDER BY status, id LIMIT ${limit}`;

new Elysia()
  .onBeforeHandle(({ headers, status: respond }) => {
    if (headers.authorization === authorization) return undefined;
    return respond(401, { code: 'invalid_api_key', message: 'The API key is not known.', status: 401 });
  })
  .get(
    '/v1/pets',
    async ({ query, set }) => {
      // One more row than requested shows whether there is a next page.
      const { limit, after, status: wanted } = query;
      const found = await (wanted ? pageOfStatus(wanted, after, limit + 1) : page(after, limit + 1));
      if (found.length <= limit) return [...found];
      const pets = found.slice(0, limit);
      const filter = wanted ? `&status=${wanted}` : '';
      set.headers.link = `</v1/pets?limit=${limit}${filter}&after=${pets.at(-1).id}>; rel="next"`;
      return pets;
    },
    { query: listQuery },
  )
  .get(
    '/v1/pets/:petId',
    async ({ params, status: respond }) => {
      const [pet] = await sql`SELECT ${columns} FROM pet WHERE id = ${params.petId}`;
      return pet ?? respond(404, { code: 'pet_not_found', message: 'No animal has this id.', status: 404 });
    },
    { params: t.Object({ petId: t.Numeric({ minimum: 1 }) }) },
  )
  .post(
    '/v1/pets',
    async ({ body, set }) => {
      const [pet] = await sql`
        INSERT INTO pet (name, category_id, status)
        VALUES (${body.name}, ${body.categoryId}, ${body.status ?? 'available'}) RETURNING ${columns}`;
      set.status = 201;
      set.headers.location = `/v1/pets/${pet.id}`;
      return pet;
    },
    { body: newPet },
  )
  .listen({ port: Number(PORT), hostname: '127.0.0.1' });

process.once('SIGTERM', () => void sql.end({ timeout: 1 }).finally(() => process.exit(0)));
