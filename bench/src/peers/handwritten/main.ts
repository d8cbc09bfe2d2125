import { fastify, LogController } from 'fastify';
import { Pool, types } from 'pg';

/** Fastify, pg and SQL: as fast as a good engineer writes it in a day. */
interface Pet {
  id: number;
  name: string;
  categoryId: number;
  status: string;
}

interface PageQuery {
  status?: string;
  limit: number;
  after: number;
}

// pg returns int8 as text by default.
types.setTypeParser(types.builtins.INT8, Number);

// By default PostgreSQL plans each page again although it is prepared, which takes longer than reading it.
const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_MAX']),
  options: '-c plan_cache_mode=force_generic_plan',
});
const columns = 'id, name, category_id AS "categoryId", status';

/** A named statement is prepared once per connection. */
const statements = {
  page: { name: 'page', text: `SELECT ${columns} FROM pet WHERE id > $1 ORDER BY id LIMIT $2` },
  pageOfStatus: {
    name: 'page_of_status',
    // With "status = $1", PostgreSQL scans the primary key and filters the other statuses.
    text: `SELECT ${columns} FROM pet WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3`,
  },
  find: { name: 'find', text: `SELECT ${columns} FROM pet WHERE id = $1` },
  insert: {
    name: 'insert',
    text: `INSERT INTO pet (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${columns}`,
  },
} as const;

async function run(statement: keyof typeof statements, values: unknown[]): Promise<Pet[]> {
  return (await pool.query<Pet>({ ...statements[statement], values })).rows;
}

const status = { type: 'string', enum: ['available', 'pending', 'sold'] } as const;
const integer = { type: 'integer' } as const;
const id = { ...integer, minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
const fields = { name: { type: 'string', minLength: 1, maxLength: 200 }, categoryId: integer, status };
const pet = { type: 'object', properties: { id: integer, ...fields } };
const newPet = { type: 'object', required: ['name', 'categoryId'], additionalProperties: false, properties: fields };
const limit = { ...integer, minimum: 1, maximum: 100, default: 20 };
const pageQuery = { type: 'object', properties: { limit, status, after: { ...id, minimum: 0, default: 0 } } };

const app = fastify({ logger: { level: 'warn' }, logController: new LogController({ disableRequestLogging: true }) });
const keys = new Map([[`Bearer ${process.env['API_KEY']}`, { name: 'benchmark' }]]);

app.addHook('onRequest', (request, reply, done) => {
  if (keys.has(request.headers.authorization ?? '')) return done();
  void reply.code(401).send({ code: 'invalid_api_key', message: 'The API key is not known.', status: 401 });
});

const listSchema = { querystring: pageQuery, response: { 200: { type: 'array', items: pet } } };
app.get<{ Querystring: PageQuery }>('/v1/pets', { schema: listSchema }, async ({ query }, reply) => {
  // One more row than requested shows whether there is a next page.
  const range = [query.after, query.limit + 1];
  const found = await (query.status ? run('pageOfStatus', [query.status, ...range]) : run('page', range));
  if (found.length <= query.limit) return found;
  found.length = query.limit;
  const filter = query.status === undefined ? '' : `&status=${query.status}`;
  void reply.header('Link', `</v1/pets?limit=${query.limit}${filter}&after=${found.at(-1)?.id}>; rel="next"`);
  return found;
});

const getSchema = { params: { type: 'object', properties: { petId: id } }, response: { 200: pet } };
app.get<{ Params: { petId: number } }>('/v1/pets/:petId', { schema: getSchema }, async ({ params }, reply) => {
  const [found] = await run('find', [params.petId]);
  return found ?? reply.code(404).send({ code: 'pet_not_found', message: 'No animal has this id.', status: 404 });
});

const createSchema = { body: newPet, response: { 201: pet } };
app.post<{ Body: Omit<Pet, 'id'> }>('/v1/pets', { schema: createSchema }, async ({ body }, reply) => {
  const [created] = await run('insert', [body.name, body.categoryId, body.status ?? 'available']);
  void reply.code(201).header('Location', `/v1/pets/${created?.id}`);
  return created;
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
