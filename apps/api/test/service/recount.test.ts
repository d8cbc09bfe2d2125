import { once } from 'node:events';
import { runProgram, startProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../support/scratch-database.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.prepare();
  await service.start();
});
afterAll(() => service.remove());

async function sql(statement: string): Promise<unknown[]> {
  return execute(await service.databaseUrl(), statement);
}

describe('the recount command', () => {
  it('counts while the service runs, and prints the totals', async () => {
    await service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 });
    const { code, stdout } = await runProgram('manage.js', ['recount'], service.variables);
    expect([code, stdout]).toEqual([0, 'available 1\n']);
  });

  it('may take longer than a request', async () => {
    await sql(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END'`,
    );
    await sql('CREATE TRIGGER slow BEFORE INSERT ON pet_count EXECUTE FUNCTION slow()');
    await sql('TRUNCATE pet_count');
    const variables = { ...service.variables, DATABASE_STATEMENT_TIMEOUT_MS: '1000' };
    const { code, stdout } = await runProgram('manage.js', ['recount'], variables);
    await sql('DROP FUNCTION slow CASCADE');
    expect([code, stdout]).toEqual([0, 'available 1, corrected from 0\n']);
  });

  it('stops the database that it started when it is interrupted', async () => {
    await sql('TRUNCATE pet_count');
    await sql(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END'`,
    );
    await sql('CREATE TRIGGER slow BEFORE INSERT ON pet_count EXECUTE FUNCTION slow()');
    await service.end('SIGTERM');
    const recount = startProgram('manage.js', ['recount'], service.variables);
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
    await expect.poll(() => sql(waiting).catch(() => [])).toHaveLength(1);
    recount.kill('SIGINT');
    expect(await once(recount, 'exit')).toEqual([130, null]);
    expect(await service.postmasterPid()).toBeUndefined();
  });
});
