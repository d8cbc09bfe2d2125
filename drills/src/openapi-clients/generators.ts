/** A generator of TypeScript clients, and a program that uses its client. */
export interface Generator {
  /** Pinned packages: the generator and what its client imports. */
  packages: readonly string[];
  /** Generates from `openapi.json` into the given directory. */
  command: (directory: string) => readonly string[];
  /** Sets `created`, `listed` and `got` to animals. */
  program: string;
}

const start = `const baseUrl = process.env['BASE_URL']!;
const key = process.env['API_KEY']!;
const headers = { authorization: \`Bearer \${key}\` };
const newPet = { name: 'Rex', categoryId: 7 };
`;

const end = `
if (!listed?.some(({ id }) => id === created?.id)) throw new Error('The list lacks the new animal.');
if (got?.name !== newPet.name) throw new Error('The animal has another name.');
console.log(String(created?.id));
`;

/** Adds what all programs share. */
export function toProgram({ program }: Generator): string {
  return `${program.trimStart().replace('/* start */', start)}${end}`;
}

export const generators: Record<string, Generator> = {
  'openapi-typescript': {
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
    command: (directory) => ['openapi-typescript', 'openapi.json', '-o', `${directory}/schema.ts`],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
/* start */
const client = createClient<paths>({ baseUrl, headers });
const { data: created } = await client.POST('/pets', { body: newPet });
const { data: listed } = await client.GET('/pets', { params: { query: { limit: 10, order: 'desc' } } });
const { data: got } = await client.GET('/pets/{petId}', { params: { path: { petId: created!.id } } });`,
  },
  'hey-api': {
    packages: ['@hey-api/openapi-ts@0.95.0'],
    command: (directory) => ['openapi-ts', '-i', 'openapi.json', '-o', directory],
    program: `
import { client } from './client.gen.js';
import { createPet, getPet, listPets } from './sdk.gen.js';
/* start */
client.setConfig({ baseUrl, headers });
const { data: created } = await createPet({ body: newPet, throwOnError: true });
const { data: listed } = await listPets({ query: { limit: 10, order: 'desc' }, throwOnError: true });
const { data: got } = await getPet({ path: { petId: created.id }, throwOnError: true });`,
  },
};
