import { runProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.prepare();
});
afterAll(() => service.remove());

async function keys(...args: string[]) {
  return runProgram('manage.js', ['keys', ...args], service.variables);
}

interface Made {
  id: number;
  key: string;
}

async function create(name: string): Promise<Made> {
  const { stdout } = await keys('create', '--name', name, '--scopes', 'read,write', '--json');
  return JSON.parse(stdout) as Made;
}

async function statusWith(key: string): Promise<number> {
  return (await new Api(service.url, key).get('/v1/pets')).status;
}

describe('the keys command', () => {
  it('works before the first start of the service, after migration:apply, and leaves no PostgreSQL running', async () => {
    expect(await runProgram('manage.js', ['migration', 'apply'], service.variables)).toMatchObject({ code: 0 });
    const { key } = await create('early');
    expect(await service.postmasterPid()).toBeUndefined();
    await service.start();
    expect(await statusWith(key)).toBe(200);
  });

  it('creates and revokes a key while the service runs, and logs both as audit events, never the key', async () => {
    const { stdout, stderr } = await keys('create', '--name', 'till', '--json');
    const { id, key } = JSON.parse(stdout) as Made;
    await expect.poll(() => statusWith(key)).toBe(200);
    expect(JSON.parse(stderr)).toMatchObject({
      event: 'api_key.created',
      apiKeyId: id,
      name: 'till',
      scopes: ['read'],
    });
    expect(stderr).not.toContain(key);
    const revoked = await keys('revoke', String(id));
    expect(revoked.code).toBe(0);
    await expect.poll(() => statusWith(key)).toBe(401);
    expect(JSON.parse(revoked.stderr)).toMatchObject({ event: 'api_key.revoked', apiKeyId: id });
  });

  it('prints the URL of the database that runs', async () => {
    const { stdout, code } = await runProgram('manage.js', ['database-url'], service.variables);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^postgres(ql)?:\/\/\S+\n$/);
  });

  it('logs its statements when DEBUG asks for them', async () => {
    expect((await keys('list')).stderr).toBe('');
    const variables = { ...service.variables, DEBUG: 'prisma:driver-adapter*' };
    const { stderr } = await runProgram('manage.js', ['keys', 'list'], variables);
    expect(stderr).toMatch(/prisma:driver-adapter:pg .*SELECT .*api_key/s);
  });

  it('exits with 1 and names the allowed values when a flag is invalid', async () => {
    const { stderr, stdout, code } = await keys('create', '--name', 'x', '--scopes', 'admin');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('Allowed scopes, comma-separated: read, write');
  });
});
