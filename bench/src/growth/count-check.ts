import { median } from '../measure/statistics.js';
import { authorization } from '../targets/target.js';
import type { GrownTable } from './grown-table.js';

const most = 50;

/**
 * Asks for the total over and over, for so long, and once at least; the median time of an answer in milliseconds.
 * @throws Error when a total is not exact.
 */
export async function timeCount({ animals, service }: GrownTable, seconds: number): Promise<number> {
  const { rows } = await service.database.query<{ count: string }>('SELECT count(*) FROM pet');
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1_000; times.length < most;) {
    const begin = performance.now();
    const answer = await fetch(`http://127.0.0.1:${service.server.port}/v1/pets?limit=1`, {
      headers: { ...authorization, Prefer: 'count=exact' },
    });
    const body = await answer.text();
    times.push(performance.now() - begin);
    const total = answer.headers.get('x-total-count');
    if (total !== rows[0]?.count) {
      const said = answer.ok ? `the total ${total}` : `${answer.status} ${body}`;
      throw new Error(`service: asked for the total of ${rows[0]?.count} of ${animals} animals, it answered ${said}`);
    }
    if (performance.now() > end) break;
  }
  return median(times);
}
