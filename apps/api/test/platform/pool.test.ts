import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../src/platform/database/database-error.js';
import { makePool } from '../../src/platform/database/pool.js';
import { DatabaseLink } from '../support/database-link.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const statementTimeoutMs = 200;

let database: ScratchDatabase;
let link: DatabaseLink;
let pool: Pool;
beforeEach(async () => {
  database = await createEmptyDatabase();
  link = await DatabaseLink.to(database.url);
  pool = makePool({ url: link.url, poolMax: 1, statementTimeoutMs });
});
afterEach(async () => {
  await pool.end();
  await link.cut();
  await database.drop();
});

const session = async () => {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
};

describe('a connection', () => {
  it('is given up and replaced when its server has stopped answering', async () => {
    const before = await session();
    link.delayMs = 60_000;
    const error = await session().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringContaining('no answer within 700 ms') as string });
    expect(isDatabaseUnavailable(error)).toBe(true);
    link.delayMs = 0;
    expect(await session()).not.toBe(before);
  });

  it('is kept however long nobody asks it anything', async () => {
    const before = await session();
    await sleep(1500);
    expect(await session()).toBe(before);
  });
});
