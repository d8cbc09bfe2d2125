/**
 * Adds the animals of a delivery: `node import-delivery.mjs NUMBER FILE`. Each line of the file is one animal as JSON, with
 * the category as text, because `JSON.parse` rounds numbers beyond 2^53. Run it again after a failure: for 24 hours, no
 * animal is added twice.
 */
import { open } from 'node:fs/promises';
import { PetstoreApiError, PetstoreClient } from '@petstore/client';

const parallelRequests = 4;
const [number, path] = process.argv.slice(2);
const { PETSTORE_URL: url, PETSTORE_API_KEY: apiKey } = process.env;
if (!number || !path || !url || !apiKey) {
  console.error('Usage: node import-delivery.mjs NUMBER FILE, with PETSTORE_URL and PETSTORE_API_KEY.');
  process.exit(2);
}

const client = new PetstoreClient({
  baseUrl: new URL('/v1', url),
  apiKey,
  retries: 5,
  onAttempt: (attempt) => {
    if (attempt.number > 1) console.error(`Retry ${attempt.number - 1}:`, attempt.status ?? attempt.error);
  },
});
const counts = { added: 0, 'added before': 0, rejected: 0 };

async function addAnimal(line, lineNumber) {
  try {
    const { categoryId, ...animal } = JSON.parse(line);
    if (typeof categoryId !== 'string') throw new SyntaxError('`categoryId` must be text.');
    const idempotencyKey = `delivery-${number}-line-${lineNumber}`;
    const create = client.createPet({ ...animal, categoryId: BigInt(categoryId) }, { idempotencyKey });
    const { isReplayed } = await create.withResponse();
    counts[isReplayed ? 'added before' : 'added'] += 1;
  } catch (error) {
    // Other errors, such as a wrong key, are about all lines.
    const isRejected =
      error instanceof SyntaxError || (error instanceof PetstoreApiError && [400, 413, 422].includes(error.status));
    if (!isRejected) throw error;
    counts.rejected += 1;
    console.error(`Line ${lineNumber}: ${error.message}`);
  }
}

async function* numberedLines(file) {
  let lineNumber = 0;
  for await (const line of file.readLines()) yield [line, (lineNumber += 1)];
}

const file = await open(path);
const lines = numberedLines(file);
const addNext = async () => {
  for (let next = await lines.next(); !next.done; next = await lines.next()) await addAnimal(...next.value);
};
await Promise.all(Array.from({ length: parallelRequests }, addNext)).catch((error) => {
  console.error(`${error.message} Correct this, and run the program again.`);
  process.exit(1);
});
console.log(
  Object.entries(counts)
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', '),
);
if (counts.rejected > 0) process.exitCode = 1;
