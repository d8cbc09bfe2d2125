import type { Client } from 'pg';
import { expectedAnimals } from '../database/expected-responses.js';
import type { LoadResult } from '../load/load-job.js';
import type { Target } from '../targets/target.js';

type Added = LoadResult['added'];

/**
 * Records the current end of the table. The returned function compares the rows added since then with the acknowledged
 * ones. It throws an Error if a row is missing, unacknowledged or different.
 */
export async function createCheck({ database }: Target): Promise<(added: Added) => Promise<void>> {
  if (!database) return async () => undefined;
  const { rows } = await database.query<{ last: string }>('SELECT coalesce(max(id), 0) AS last FROM pet');
  const last = rows[0]?.last ?? '0';
  return async (added) => {
    await compareSums(database, last, added);
    const found = await expectedAnimals(
      database,
      added.last.map(({ id }) => id),
    );
    for (const { id, body } of added.last) {
      const expected = `{"id":${id}${body}`;
      if (found.get(id) !== expected)
        throw new Error(`Acknowledged ${expected}, but stored ${found.get(id) ?? 'nothing'}.`);
    }
  };
}

async function compareSums(database: Client, last: string, { count, idSum }: Added): Promise<void> {
  const { rows } = await database.query<{ count: string; sum: string }>(
    'SELECT count(*), coalesce(sum(id), 0) AS sum FROM pet WHERE id > $1',
    [last],
  );
  const [{ count: stored, sum } = { count: '0', sum: '0' }] = rows;
  if (Number(stored) === count && Number(sum) === idSum) return;
  throw new Error(
    `Acknowledged ${count} animals with an id sum of ${idSum}, but stored ${stored} with an id sum of ${sum}.`,
  );
}
