import { median } from '../measure/statistics.js';
import { authorization } from '../targets/target.js';
import type { GrownTable } from './grown-table.js';

const maxRequests = 50;

/**
 * Requests the total repeatedly for `seconds`, at least once. Returns the median response time in milliseconds.
 * @throws Error when a total is not exact.
 */
export async function timeCount({ animals, service }: GrownTable, seconds: number): Promise<number> {
  const { rows } = await service.database.query<{ count: string }>('SELECT count(*) FROM pet');
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1_000; times.length < maxRequests;) {
    const begin = performance.now();
    const response = await fetch(`http://127.0.0.1:${service.server.port}/v1/pets?limit=1`, {
      headers: { ...authorization, Prefer: 'count=exact' },
    });
    const body = await response.text();
    times.push(performance.now() - begin);
    const total = response.headers.get('x-total-count');
    if (total !== rows[0]?.count) {
      const received = response.ok ? `the total ${total}` : `${response.status} ${body}`;
      throw new Error(
        `The service returned ${received} for a table of ${animals} animals. Expected: the total ${rows[0]?.count}.`,
      );
    }
    if (performance.now() > end) break;
  }
  return median(times);
}
