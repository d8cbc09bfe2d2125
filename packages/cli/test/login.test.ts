import { chmodSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { documentation, folder, run, runInTerminal } from './support/command.js';

/** An environment whose login is in this file. */
function loginIn(name: string): { PETSTORE_CONFIG: string } {
  return { PETSTORE_CONFIG: join(folder, name, 'config.json') };
}

/** Logs in through a pipe. */
function logIn(variables: Record<string, string>) {
  return run(['login', '--url', inject('serviceUrl')], { variables, input: `${inject('apiKey')}\n` });
}

describe('login', () => {
  it('saves the address and the key in a file that only the user can read', async () => {
    const variables = loginIn('piped');
    const { stdout, code } = await logIn(variables);
    expect([code, stdout]).toEqual([0, expect.stringContaining('with the API key "bootstrap" (read, write).')]);
    expect(JSON.parse(readFileSync(variables.PETSTORE_CONFIG, 'utf8'))).toEqual({
      url: `${inject('serviceUrl')}/v1`,
      apiKey: inject('apiKey'),
    });
    expect(statSync(variables.PETSTORE_CONFIG).mode % 0o1000).toBe(0o600);
    expect(await run(['list'], { variables })).toMatchObject({ stderr: '', code: 0 });
  });

  it('asks for the key in a terminal, and does not show it', async () => {
    const variables = loginIn('typed');
    const input = `${inject('apiKey')}\r`;
    const { screen, code } = await runInTerminal(['login', '--url', inject('serviceUrl')], { variables, input });
    expect(code).toBe(0);
    expect(screen).toContain('API key for ');
    expect(screen).not.toContain(inject('apiKey'));
    expect(await run(['whoami'], { variables })).toMatchObject({ code: 0 });
  });

  it('saves nothing when the service rejects the key', async () => {
    const variables = loginIn('rejected');
    const result = await run(['login', '--url', inject('serviceUrl')], { variables, input: 'another-key' });
    expect(result).toMatchObject({ stdout: '', code: 5 });
    expect(() => statSync(variables.PETSTORE_CONFIG)).toThrow('ENOENT');
  });
});

it.each(['Bearer ', 'bearer  Bearer '])(
  'an API key that was copied with %j works, and is saved without it',
  async (prefix) => {
    const key = `${prefix}${inject('apiKey')}`;
    const variables = loginIn(`copied-${prefix.length}`);
    const url = inject('serviceUrl');
    expect(await run(['login', '--url', url], { variables, input: `${key}\n` })).toMatchObject({ code: 0 });
    expect(readFileSync(variables.PETSTORE_CONFIG, 'utf8')).not.toContain('earer');
    const given = { PETSTORE_URL: url, PETSTORE_API_KEY: key };
    expect(await run(['whoami'], { variables: { ...loginIn('none'), ...given } })).toMatchObject({ code: 0 });
  },
);

describe('an empty address or API key', () => {
  it.for<[string, string[], Record<string, string>, string]>([
    ['--url', ['list', '--url', ''], {}, 'Error: --url cannot be "". Write the address.'],
    ['--url=', ['list', '--url='], {}, 'Error: --url cannot be "". Write the address.'],
    ['--url of spaces', ['whoami', '--url', '  '], {}, 'Error: --url cannot be "  ". Write the address.'],
    ['--key', ['create', '--name', 'Rex', '--category', '7', '--key', ''], {}, 'Error: --key cannot be "". Write'],
    ['--key before the command', ['--key', '', 'export', '-'], {}, 'Error: --key cannot be "". Write the API key.'],
    ['--url of a login', ['login', '--url', ''], {}, 'Error: --url cannot be "". Write the address.'],
    ['--key of a login', ['login', '--key', ''], {}, 'Error: --key cannot be "". Write the API key.'],
    ['PETSTORE_URL', ['get', '1'], { PETSTORE_URL: '' }, 'Error: PETSTORE_URL is empty. Set it, or unset it'],
    ['PETSTORE_URL of a login', ['login'], { PETSTORE_URL: ' ' }, 'Error: PETSTORE_URL is empty. Set it'],
    ['PETSTORE_API_KEY', ['whoami'], { PETSTORE_API_KEY: '' }, 'Error: PETSTORE_API_KEY is empty. Set it'],
  ])('is an error, and does not lead to the saved login: %s', async ([, args, variables, message]) => {
    const saved = loginIn('of-another-store');
    await logIn(saved);
    const { stdout, stderr, code } = await run(args, { variables: { ...saved, ...variables }, input: '' });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});

describe('the saved login', () => {
  it('is rejected when other users can read it', async () => {
    const variables = loginIn('readable');
    await logIn(variables);
    chmodSync(variables.PETSTORE_CONFIG, 0o644);
    const { stderr, code } = await run(['list'], { variables });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Run: chmod 600 ${variables.PETSTORE_CONFIG}`)]);
  });

  it('is rejected when it cannot be read', async () => {
    const { stderr, code } = await run(['list'], { variables: { PETSTORE_CONFIG: folder } });
    expect([code, stderr]).toEqual([2, `Error: ${folder} cannot be read: it is a directory.\n${documentation}`]);
  });

  it('is removed by logout', async () => {
    const variables = loginIn('removed');
    await logIn(variables);
    expect(await run(['logout'], { variables })).toEqual({
      stdout: `Removed ${variables.PETSTORE_CONFIG}. The API key stays valid.\n`,
      stderr: '',
      code: 0,
    });
    expect((await run(['list'], { variables })).stderr).toContain('There is no API key');
    expect((await run(['logout', '--json'], { variables })).stdout).toContain('"removed":false');
  });

  it('cannot be a socket or a device, which login and logout neither replace nor delete', async () => {
    const variables = { PETSTORE_CONFIG: join(folder, 'socket') };
    const server = createServer().listen(variables.PETSTORE_CONFIG);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const error = `Error: ${variables.PETSTORE_CONFIG} is not a file. Set PETSTORE_CONFIG to the path of a file, or unset it.\n`;
    expect(await logIn(variables)).toMatchObject({ code: 2, stderr: error + documentation });
    expect(await run(['logout'], { variables })).toMatchObject({ code: 2, stderr: error + documentation });
    expect(statSync(variables.PETSTORE_CONFIG).isSocket()).toBe(true);
  });

  it('is none if PETSTORE_CONFIG is /dev/null', async () => {
    const { code, stderr } = await run(['list'], { variables: { PETSTORE_CONFIG: '/dev/null' } });
    expect([code, stderr]).toEqual([5, expect.stringContaining('petstore login')]);
  });

  it('is not used for another address', async () => {
    const variables = loginIn('other');
    await logIn(variables);
    const { stderr, code } = await run(['list', '--url', 'http://127.0.0.1:9'], { variables });
    expect([code, stderr]).toEqual([5, expect.stringContaining('There is no API key for http://127.0.0.1:9/v1.')]);
  });

  it('is overridden by the environment, and the environment by flags', async () => {
    const variables = { ...loginIn('flags'), PETSTORE_URL: 'http://127.0.0.1:9', PETSTORE_API_KEY: 'another-key' };
    const flags = ['--url', inject('serviceUrl'), '--key', inject('apiKey')];
    expect(await run(['list', ...flags], { variables })).toMatchObject({ code: 0 });
    expect((await run(['list'], { variables })).stderr).toContain('127.0.0.1:9');
  });

  it('is missing at first, and the error explains how to log in', async () => {
    const { stderr, code } = await run(['list'], { variables: loginIn('none') });
    expect([code, stderr]).toEqual([5, expect.stringContaining('Run `petstore login`, or set PETSTORE_API_KEY.')]);
  });
});
