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

describe('a prepared statement', () => {
  const types = { getTypeParser: (oid: number) => (text: string) => `${oid} ${text}` };
  const run = (name: string, text: string, ...values: unknown[]) =>
    pool.query({ name, text, values, rowMode: 'array', types });

  it('answers each time with its columns and rows, read as the types say', async () => {
    const text = 'SELECT $1::int AS number, $2::text AS text, n FROM generate_series(1, $1) AS n';
    for (const number of [2, 0, 1]) {
      const { fields, rows } = await run('series', text, number, number === 2 ? null : 'ä');
      expect(fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))).toEqual([
        { name: 'number', dataTypeID: 23 },
        { name: 'text', dataTypeID: 25 },
        { name: 'n', dataTypeID: 23 },
      ]);
      const expected = [
        ['23 2', null, '23 1'],
        ['23 2', null, '23 2'],
      ];
      expect(rows).toEqual({ 2: expected, 0: [], 1: [['23 1', '25 ä', '23 1']] }[number]);
    }
  });

  it('takes values as pg does', async () => {
    const text = `SELECT ($1::bigint[])::text, encode($2, 'hex'), $3::boolean::text`;
    const { rows } = await run('values', text, [1n, null, 9223372036854775807n], new Uint8Array([1, 255]), true);
    expect(rows).toEqual([['25 {1,NULL,9223372036854775807}', '25 01ff', '25 true']]);
  });

  it('tells how many rows it changed, also where none come back', async () => {
    await pool.query('CREATE TABLE number (n int PRIMARY KEY)');
    const insert = (from: number, to: number) =>
      run('insert', 'INSERT INTO number SELECT generate_series($1::int, $2)', from, to);
    expect(await insert(1, 3)).toMatchObject({ fields: [], rows: [], rowCount: 3 });
    expect(await insert(1, 0)).toMatchObject({ fields: [], rows: [], rowCount: 0 });
    await expect(insert(3, 4)).rejects.toMatchObject({ code: '23505' });
    expect(await insert(4, 4)).toMatchObject({ rowCount: 1 });
  });

  it('fails alone: what comes next is answered', async () => {
    const divide = (by: number) => run('divide', 'SELECT 6 / $1::int', by);
    const broken = () => run('broken', 'SELECT nothing');
    await expect(broken()).rejects.toMatchObject({ code: '42703' });
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect((await divide(2)).rows).toEqual([['23 3']]);
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    await expect(broken()).rejects.toMatchObject({ code: '42703' });
    expect((await divide(3)).rows).toEqual([['23 2']]);
  });

  it('fails when a value cannot be read', async () => {
    const unreadable = () => {
      throw new Error('unreadable');
    };
    const query = { name: 'one', text: 'SELECT $1::int', values: [1], rowMode: 'array' };
    await expect(pool.query({ ...query, types: { getTypeParser: () => unreadable } })).rejects.toThrow('unreadable');
    const { rows } = await pool.query({ ...query, types });
    expect(rows).toEqual([['23 1']]);
  });
});
