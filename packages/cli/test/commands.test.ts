import { describe, expect, inject, it, vi } from 'vitest';
import { explainError } from '../src/errors.js';
import { createProgram } from '../src/program.js';
import { containing, newCategory, run } from './support/command.js';
import { createPets } from './support/store.js';

const big = 2n ** 63n - 1n;
/** No server listens on it: no system gives it to a program. */
const port = 2;
const https = () => inject('serviceUrl').replace('http:', 'https:');
const tooManyIds = Array.from({ length: 21 }, (_, id) => id).join(',');

/** Creates an animal and returns its JSON. */
async function create(...more: string[]) {
  const { stdout } = await run(['create', '--name', 'Rex', '--category', String(big), '--json', ...more]);
  return stdout.trim();
}

describe('create, get and list', () => {
  it('print an animal as JSON with all digits', async () => {
    const json = await create('--status', 'sold');
    expect(json).toMatch(/^\{"id":\d+,"name":"Rex","categoryId":9223372036854775807,"status":"sold"\}$/);
    const [, id = ''] = /"id":(\d+)/.exec(json) ?? [];
    expect(await run(['get', id, '--json'])).toEqual({ stdout: `${json}\n`, stderr: '', code: 0 });
    // Other tests create animals at the same time.
    const list = await run(['list', '--order', 'desc', '--status', 'sold', '--limit', '100', '--json']);
    expect(list).toEqual({ stdout: containing(json), stderr: '', code: 0 });
    expect(list.stdout).toMatch(/^\[\{.*\}\]\n$/);
  });

  it('print a table, without control characters of names', async () => {
    const categoryId = newCategory();
    await createPets([{ name: 'Rex \u001b[31mRed\u0007!', categoryId }]);
    const { stdout } = await run(['list', '--category-id', String(categoryId)]);
    expect(stdout).toMatch(/^ID +STATUS +CATEGORY.* +NAME\n\d+ +available +-?\d+.* +Rex \\u001b\[31mRed\\u0007!\n$/);
  });

  it('create an animal whose name has no outer white space and invisible characters, as an import does', async () => {
    const { stdout } = await run(['create', '--name', '\u200B Skip \t Me\u00A0\n', '--category', '-7', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Skip Me' });
  });

  it('lists more animals than a page has, and prints their number', async () => {
    const categoryId = newCategory();
    await createPets(Array.from({ length: 120 }, () => ({ name: 'Rex', categoryId })));
    const list = (...more: string[]) => run(['list', '--category-id', String(categoryId), ...more]);
    const [json, all, some] = [await list('--limit=110', '--json'), await list('--limit=120'), await list()];
    const listed = ({ stdout, stderr }: typeof all) => ({ animals: stdout.split('Rex').length - 1, stderr });
    expect(listed(json)).toEqual({ animals: 110, stderr: '' });
    expect(listed(all)).toEqual({ animals: 120, stderr: '' });
    const advice = 'List more with --limit, or write all to a file with `petstore export`.';
    expect(listed(some)).toEqual({ animals: 20, stderr: `20 of 120 animals. ${advice}\n` });
  });

  it('lists the animals that have a category, all words and a status', async () => {
    const [first, second] = [newCategory(), newCategory()];
    await createPets([
      { name: 'Zoë Brave', categoryId: first, status: 'sold' },
      { name: 'Zoë', categoryId: first, status: 'sold' },
      { name: 'brave zoe', categoryId: second, status: 'sold' },
      { name: 'Brave Zoë', categoryId: newCategory(), status: 'sold' },
      { name: 'Brave Zoë', categoryId: first },
    ]);
    const other = ['--q', 'ZOE brave', '--status', 'sold', '--order', 'desc'];
    for (const categories of [
      [`--category-id=${first},${second}`],
      ['--category-id', `${first}`, '--category-id', `${second}`],
    ]) {
      const { stdout } = await run(['list', '--json', ...categories, ...other]);
      const names = Array.from(stdout.matchAll(/"name":"([^"]*)"/g), ([, name]) => name);
      expect({ categories, names }).toEqual({ categories, names: ['brave zoe', 'Zoë Brave'] });
    }
  });

  it('prints that an animal was created before with the same idempotency key', async () => {
    const args = ['create', '--name', 'Rex', '--category', '7', '--idempotency-key', `test-${newCategory()}`];
    const first = await run([...args, '--json']);
    expect(first).toMatchObject({ stderr: '', code: 0 });
    const [id] = /\d+/.exec(first.stdout) ?? [];
    for (const flags of [[], ['--json']]) {
      expect(await run([...args, ...flags])).toEqual({
        stdout: flags[0] === '--json' ? first.stdout : (expect.stringMatching(new RegExp(`^ID .*\\n${id} `)) as string),
        stderr: `Created before with this idempotency key: animal ${id}. Nothing new was created.\n`,
        code: 0,
      });
    }
  });
});

describe('whoami', () => {
  it('prints the service, the name and the scopes of the key', async () => {
    const { stdout, code } = await run(['whoami', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      url: `${inject('serviceUrl')}/v1`,
      id: 1,
      name: 'bootstrap',
      scopes: ['read', 'write'],
      expiresAt: null,
    });
    expect((await run(['whoami'])).stdout).toContain('API key 1 "bootstrap": read, write; does not expire');
  });
});

it('--debug prints each request, without the key', async () => {
  for (const [command, path] of [
    ['list', '/v1/pets?limit=20&order=asc'],
    ['whoami', '/key.json'],
  ] as const) {
    const { stderr } = await run([command, '--json', '--debug']);
    expect(stderr).toContain(`GET ${inject('serviceUrl')}${path}: 200 after `);
    expect(stderr).toMatch(/ ms, request id [\w-]+\n$/);
    expect(stderr).not.toContain(inject('apiKey'));
  }
  const { stderr } = await run(['list', '--no-wait', '--debug', '--url', `http://127.0.0.1:${port}`]);
  expect(stderr).toMatch(/: no response after \d+ ms, request id none: connect ECONNREFUSED/);
});

/** Runs a command in this process, which is faster, until it rejects its arguments. */
async function runHere(args: readonly string[]) {
  vi.stubEnv('PETSTORE_URL', inject('serviceUrl'));
  vi.stubEnv('PETSTORE_API_KEY', inject('apiKey'));
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const code = await createProgram()
    .parseAsync(args, { from: 'user' })
    .then(() => 0, explainError);
  const stderr = written.mock.calls.map(([text]) => String(text)).join('');
  written.mockRestore();
  vi.unstubAllEnvs();
  return { code, stderr };
}

describe('a wrong argument', () => {
  it.for([
    [['lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['list', '--statsu', 'sold'], "unknown option '--statsu'\n(Did you mean --status?)"],
    [['list', '--status', 'lost'], 'Allowed choices are available, pending, sold.'],
    [['list', '--limit', '0'], 'It must be an integer from 1 to 10000.'],
    [['create', '--category-id', '7'], "required option '--name <name>' not specified"],
    [['create', '--name', 'Rex'], "required option '--category, --category-id <id>' not specified"],
    [['import', '--sheeet', 'x'], "unknown option '--sheeet'\n(Did you mean --sheet?)"],
    [['create', '--name', '\u200B', '--category', '7'], 'It must not be empty.'],
    [['create', '--name', 'Rex', '--category', '1.5'], "argument '1.5' is invalid. Write a whole number in"],
    [['create', '--idempotency-key', 'ä'], 'It must be 1 to 255 visible ASCII'],
    [['export', 'a.csv', '--category-id', '7,,9'], "argument '7,,9' is invalid. Write a whole number in digits"],
    [['export', 'a.csv', '--category-id', tooManyIds], 'Write at most 20 categories.'],
    [['list', '--q', ' '], "argument ' ' is invalid. Write a word of the name."],
    [['get', 'rex'], "command-argument value 'rex' is invalid for argument 'id'. Write a whole number in digits"],
  ] as const)('%j has the exit code 2, and the error names what is allowed', async ([args, message]) => {
    const { code, stderr } = await runHere(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: containing('Error: ') });
    expect(stderr).toContain(message);
    expect(stderr).toContain('Run the command with --help to see what is allowed.');
  });
});

describe('a failed command', () => {
  it.for([
    [['get', '0'], 4, 'Error: No animal has the id 0.\n'],
    [
      ['list', '--url', 'localhost:3000'],
      2,
      'The address must be an http or https URL, such as http://localhost:3000.',
    ],
    [['list', '--key', 'a key'], 2, '`apiKey` must be a string of visible ASCII characters.'],
    [
      ['list', '--key', 'another-key'],
      5,
      'This API key is unknown, expired or revoked. (invalid_api_key) Run `petstore login`.',
    ],
    [['list', '--url', `http://127.0.0.1:${port}`, '--no-wait'], 1, `${port} failed: connect ECONNREFUSED`],
    [['list', '--url', https()], 1, 'the server does not use TLS, so the address begins with http://'],
  ] as const)('%j exits with %i and explains the error', async ([args, code, message]) => {
    const result = await run(args);
    expect(result).toEqual({ stdout: '', stderr: containing(message), code });
    expect(result.stderr).not.toContain('    at ');
  });
});
