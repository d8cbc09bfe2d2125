import { chmodSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { containing, documentation, folder, run, runInTerminal } from './support/command.js';

/** An environment whose login is in this file. */
function loginIn(name: string): { PETSTORE_CONFIG: string } {
  return { PETSTORE_CONFIG: join(folder, name, 'config.json') };
}

/** Logs in through a pipe. */
function logIn(variables: Record<string, string>, key: string = inject('apiKey')) {
  return run(['login', '--url', inject('serviceUrl')], { variables, input: `${key}\n` });
}

describe('login', () => {
  it.for(['', 'bearer  Bearer '])(
    'saves the address and the key, without %j before it, in a file that only the user can read',
    async (prefix) => {
      const variables = loginIn(`piped-${prefix.length}`);
      const { stdout, code } = await logIn(variables, `${prefix}${inject('apiKey')}`);
      expect({ code, stdout }).toEqual({ code: 0, stdout: containing('with the API key "bootstrap" (read, write).') });
      expect(JSON.parse(readFileSync(variables.PETSTORE_CONFIG, 'utf8'))).toEqual({
        url: `${inject('serviceUrl')}/v1`,
        apiKey: inject('apiKey'),
      });
      expect(statSync(variables.PETSTORE_CONFIG).mode % 0o1000).toBe(0o600);
      const given = { PETSTORE_URL: inject('serviceUrl'), PETSTORE_API_KEY: `${prefix}${inject('apiKey')}` };
      const sources = prefix === '' ? variables : { ...loginIn('none'), ...given };
      expect(await run(['whoami'], { variables: sources })).toMatchObject({ stderr: '', code: 0 });
    },
  );

  it('asks for the key in a terminal, and does not show it', async () => {
    const variables = loginIn('typed');
    const input = `${inject('apiKey')}\r`;
    const { screen, code } = await runInTerminal(['login', '--url', inject('serviceUrl')], { variables, input });
    expect(code).toBe(0);
    expect(screen).toContain('API key for ');
    expect(screen).not.toContain(inject('apiKey'));
    expect(await run(['whoami'], { variables })).toMatchObject({ code: 0 });
  });

  it('names the encoding of a key in UTF-16, which PowerShell writes', async () => {
    const { stderr, code } = await logIn(loginIn('utf-16'), Buffer.from('\uFEFFpsk_key', 'utf16le').toString());
    expect({ code, stderr }).toEqual({ code: 2, stderr: containing('The API key is UTF-16 or another encoding.') });
  });

  it('saves nothing when the service rejects the key', async () => {
    const variables = loginIn('rejected');
    expect(await logIn(variables, 'another-key')).toMatchObject({ stdout: '', code: 5 });
    expect(() => statSync(variables.PETSTORE_CONFIG)).toThrow('ENOENT');
  });
});

describe('an empty address or API key', () => {
  const saved = loginIn('of-another-store');
  beforeAll(() => logIn(saved));

  it.for<[string, string[], Record<string, string>, string]>([
    ['--url', ['list', '--url='], {}, "argument '' is invalid. Write the address."],
    ['--url of a login', ['login', '--url', '  '], {}, "argument '  ' is invalid. Write the address."],
    ['--key', ['--key', '', 'export', '-'], {}, "argument '' is invalid. Write the API key."],
    ['PETSTORE_URL', ['get', '1'], { PETSTORE_URL: '' }, 'Error: PETSTORE_URL is empty. Set it, or unset it'],
    ['PETSTORE_URL of a login', ['login'], { PETSTORE_URL: ' ' }, 'Error: PETSTORE_URL is empty. Set it'],
    ['PETSTORE_API_KEY', ['whoami'], { PETSTORE_API_KEY: '' }, 'Error: PETSTORE_API_KEY is empty. Set it'],
  ])('is an error, and does not lead to the saved login: %s', async ([, args, variables, message]) => {
    const result = await run(args, { variables: { ...saved, ...variables }, input: '' });
    expect(result).toEqual({ code: 2, stdout: '', stderr: containing(message) });
  });
});

describe('the saved login', () => {
  it('is used for its address only, may be overridden, must not be readable by others, and is removed by logout', async () => {
    const variables = loginIn('saved');
    await logIn(variables);
    expect(await run(['list', '--url', 'http://127.0.0.1:9'], { variables })).toMatchObject({
      code: 5,
      stderr: containing('There is no API key for http://127.0.0.1:9/v1.'),
    });
    const given = { ...variables, PETSTORE_URL: 'http://127.0.0.1:9', PETSTORE_API_KEY: 'another-key' };
    expect((await run(['list'], { variables: given })).stderr).toContain('127.0.0.1:9');
    const flags = ['--url', inject('serviceUrl'), '--key', inject('apiKey')];
    expect(await run(['list', ...flags], { variables: given })).toMatchObject({ code: 0 });

    chmodSync(variables.PETSTORE_CONFIG, 0o644);
    expect(await run(['list'], { variables })).toMatchObject({
      code: 2,
      stderr: containing(`Run: chmod 600 ${variables.PETSTORE_CONFIG}`),
    });

    const stdout = `Removed ${variables.PETSTORE_CONFIG}. The API key stays valid.\n`;
    expect(await run(['logout'], { variables })).toEqual({ stdout, stderr: '', code: 0 });
    expect((await run(['logout', '--json'], { variables })).stdout).toContain('"removed":false');
  });

  it('is rejected when it cannot be read', async () => {
    const stderr = `Error: ${folder} cannot be read: it is a directory.\n${documentation}`;
    expect(await run(['list'], { variables: { PETSTORE_CONFIG: folder } })).toEqual({ code: 2, stdout: '', stderr });
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

  it.each([loginIn('none').PETSTORE_CONFIG, '/dev/null'])(
    'is missing if nothing was saved, and the error explains how to log in: %s',
    async (PETSTORE_CONFIG) => {
      const advice = 'There is no API key for http://localhost:3000/v1. Run `petstore login`, or set PETSTORE_API_KEY.';
      const failure = { code: 5, stdout: '', stderr: `Error: ${advice}\n` };
      expect(await run(['list'], { variables: { PETSTORE_CONFIG } })).toEqual(failure);
    },
  );
});
