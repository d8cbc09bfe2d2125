const status = { type: 'string', enum: ['available', 'pending', 'sold'] } as const;
const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    categoryId: { type: 'integer' },
    status: { ...status, default: 'available' },
  },
} as const;

const pet = {
  type: 'object',
  required: ['id', 'name', 'categoryId', 'status'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
  },
} as const;

export const listSchema = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      status,
      after: { ...id, minimum: 0, default: 0 },
    },
  },
  response: { 200: { type: 'array', items: pet } },
} as const;

export const getSchema = {
  params: { type: 'object', required: ['petId'], properties: { petId: id } },
  response: { 200: pet },
} as const;

export const createSchema = { body: newPet, response: { 201: pet } } as const;
