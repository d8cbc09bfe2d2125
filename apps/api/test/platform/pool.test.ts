import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../src/platform/database/database-error.js';
import { makePool } from '../../src/platform/database/pool.js';
import { PreparedQuery } from '../../src/platform/database/prepared-query.js';
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
  const statement = (name: string, text: string, ...values: unknown[]) =>
    ({ name, text, values, types, rowMode: 'array' }) as const;
  let patient: Pool;
  beforeEach(() => {
    patient = makePool({ url: database.url, poolMax: 1, statementTimeoutMs: 30_000 });
  });
  afterEach(() => patient.end());

  const run = (...given: Parameters<typeof statement>) => patient.query(statement(...given));

  it('answers each time with its columns and rows, read as the types say', async () => {
    const text = 'SELECT $1::int AS number, $2::text AS text, n FROM generate_series(1, $1) AS n';
    const expected = {
      2: [
        ['23 2', null, '23 1'],
        ['23 2', null, '23 2'],
      ],
      0: [],
      1: [['23 1', '25 ä', '23 1']],
    };
    for (const number of [2, 0, 1] as const) {
      const { fields, rows } = await run('series', text, number, number === 2 ? null : 'ä');
      expect(fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))).toEqual([
        { name: 'number', dataTypeID: 23 },
        { name: 'text', dataTypeID: 25 },
        { name: 'n', dataTypeID: 23 },
      ]);
      expect(rows).toEqual(expected[number]);
    }
  });

  it('takes values as pg does', async () => {
    const text = `SELECT ($1::bigint[])::text, encode($2, 'hex'), $3::boolean::text`;
    const { rows } = await run('values', text, [1n, null, 9223372036854775807n], new Uint8Array([1, 255]), true);
    expect(rows).toEqual([['25 {1,NULL,9223372036854775807}', '25 01ff', '25 true']]);
  });

  it('tells how many rows it changed, also where none come back', async () => {
    await patient.query('CREATE TABLE number (n int PRIMARY KEY)');
    const insert = (from: number, to: number) =>
      run('insert', 'INSERT INTO number SELECT generate_series($1::int, $2)', from, to);
    expect(await insert(1, 3)).toMatchObject({ fields: [], rows: [], rowCount: 3 });
    expect(await insert(1, 0)).toMatchObject({ fields: [], rows: [], rowCount: 0 });
    await expect(insert(3, 4)).rejects.toMatchObject({ code: '23505' });
    expect(await insert(4, 4)).toMatchObject({ rowCount: 1 });
  });

  it('fails alone: what comes next on its connection is answered', async () => {
    const client = await patient.connect();
    const runHere = (...given: Parameters<typeof statement>) =>
      new Promise<unknown>((resolve, reject) => {
        const query = new PreparedQuery(statement(...given));
        query.callback = (error, result) => (error ? reject(error) : resolve(result?.rows));
        client.query(query);
      });
    const divide = (by: number) => runHere('divide', 'SELECT 6 / $1::int', by);
    const broken = () => runHere('broken', 'SELECT nothing');
    try {
      await expect(broken()).rejects.toMatchObject({ code: '42703' });
      await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
      expect(await divide(2)).toEqual([['23 3']]);
      await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
      await expect(broken()).rejects.toMatchObject({ code: '42703' });
      expect(await divide(3)).toEqual([['23 2']]);
      expect(await runHere('empty', '')).toEqual([]);
    } finally {
      client.release();
    }
    await expect(run('divide', 'SELECT 6 / $1::int', 0)).rejects.toMatchObject({ code: '22012' });
    expect((await run('divide', 'SELECT 6 / $1::int', 1)).rows).toEqual([['23 6']]);
  });

  it('fails when a value cannot be read', async () => {
    const unreadable = () => {
      throw new Error('unreadable');
    };
    const one = statement('one', 'SELECT $1::int', 1);
    const reading = patient.query({ ...one, types: { getTypeParser: () => unreadable } } as never);
    await expect(reading).rejects.toThrow('unreadable');
    const { rows } = await patient.query(one);
    expect(rows).toEqual([['23 1']]);
  });
});
