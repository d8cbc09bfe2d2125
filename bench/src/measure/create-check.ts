import type { Client } from 'pg';
import { expectedAnimals } from '../database/expected-answers.js';
import type { LoadResult } from '../load/load-job.js';
import type { Target } from '../targets/target.js';

type Added = LoadResult['added'];

/**
 * Remembers what is in the table now; the function that it returns compares what was added since to what was answered.
 * That throws an Error when an animal was acknowledged and is not there, is there unacknowledged, or is another.
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
      const answered = `{"id":${id}${body}`;
      if (found.get(id) !== answered) throw new Error(`answered ${answered}, and stored ${found.get(id) ?? 'nothing'}`);
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
    `acknowledged ${count} animals whose ids add up to ${idSum}, and stored ${stored} that add up to ${sum}`,
  );
}
