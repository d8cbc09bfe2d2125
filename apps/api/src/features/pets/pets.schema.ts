/** What Fastify serializes answers by (https://github.com/fastify/fast-json-stringify): int64 as exact integers. */
export const petSchema = {
  type: 'object',
  required: ['id', 'name', 'categoryId', 'status'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
  },
} as const;
