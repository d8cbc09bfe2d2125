import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.js';
import { createFolder } from '../support/folder.js';
import { refusal } from '../support/start-error.js';

describe('a secret', () => {
  const url = 'postgresql://user:password@localhost:5432/petstore';
  const key = 'a-key-for-the-tests-of-the-service';

  async function fileWith(text: string | Buffer): Promise<string> {
    const file = join(await createFolder(), 'secret');
    await writeFile(file, text);
    return file;
  }

  it('can be in a file, which may end with a line break', async () => {
    const variables = { DATABASE_URL_FILE: await fileWith(`${url}\n`), BOOTSTRAP_API_KEY_FILE: await fileWith(key) };
    expect(readConfig(variables)).toMatchObject({ databaseUrl: url, bootstrapApiKey: key });
  });

  it('can be in a file with a byte order mark, as Notepad writes it', async () => {
    expect(readConfig({ DATABASE_URL_FILE: await fileWith(`\uFEFF${url}\r\n`) })).toMatchObject({ databaseUrl: url });
  });

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${url}\r\n`, 'utf16le')],
    ['UTF-16', Buffer.from(`\uFEFF${url}\r\n`, 'utf16le').swap16()],
    ['UTF-16', Buffer.from(`${url}\r\n`, 'utf16le')],
    ['UTF-16', Buffer.from(`${url}\r\n`, 'utf16le').swap16()],
    ['not UTF-8', Buffer.from(url.replace('password', 'pässword'), 'latin1')],
    ['not a text: it has NUL bytes', Buffer.from(`${url}\0\0`)],
  ])('must be in a file of UTF-8; the message names what another one is: %s', async (encoding, bytes) => {
    const file = await fileWith(bytes);
    const problem = (name: string) =>
      `${name} is missing: the file of ${name}_FILE, ${file}, is ${encoding}. Save it as UTF-8`;
    const { faults } = refusal({ DATABASE_URL_FILE: file, BOOTSTRAP_API_KEY_FILE: file });
    expect(faults).toEqual([problem('DATABASE_URL'), problem('BOOTSTRAP_API_KEY')]);
  });

  it('cannot be in a variable and a file', async () => {
    const { faults } = refusal({ DATABASE_URL: url, DATABASE_URL_FILE: await fileWith(url) });
    expect(faults).toEqual(['DATABASE_URL and DATABASE_URL_FILE are both set. Set one of them']);
  });

  it('must be in a file that is readable and not empty', async () => {
    const empty = await fileWith('\n');
    const { faults } = refusal({ DATABASE_URL_FILE: '/nowhere/url', BOOTSTRAP_API_KEY_FILE: empty });
    expect(faults).toEqual([
      expect.stringContaining('DATABASE_URL is missing: cannot read the file of DATABASE_URL_FILE: ENOENT'),
      `BOOTSTRAP_API_KEY is missing: the file of BOOTSTRAP_API_KEY_FILE, ${empty}, is empty`,
    ]);
  });
});

describe('a path', () => {
  const odd = [
    '"/srv/store"',
    '“/srv/store”',
    "/srv/store'",
    '" "',
    ' ',
    ' /srv/store',
    '/srv/store\r',
    '\uFEFF/srv/store',
    '/srv/\u0000store',
    '~/store',
    '$HOME/store',
    '${HOME}/store',
    '/srv/$STORE/data',
    './${STORE}/data',
    '/srv/$(hostname)/data',
    '/srv/"pet store"/data',
    '«/srv/store»',
    '/srv/store # the second disk',
    'file:///srv/store',
    's3://bucket/store',
    'smb://nas/store',
    'https://example.com/store.csv',
    'postgresql://localhost/store',
  ];

  it.each(['DATA_DIR', 'BACKUP_DIRECTORY', 'CATEGORIES_FILE', 'DATABASE_URL_FILE', 'BOOTSTRAP_API_KEY_FILE'])(
    '%s that a person did not mean is rejected',
    (name) => {
      for (const value of odd) {
        const { faults, exitCode } = refusal({ [name]: value });
        expect(faults, value).toEqual([expect.stringContaining(`${name} must be the path of a `)]);
        // A secret, set without _FILE by mistake, must not appear.
        const shown = name.endsWith('_FILE') && name !== 'CATEGORIES_FILE' ? '' : `, not ${JSON.stringify(value)}`;
        expect(faults[0]).toContain(`at the beginning${shown}. Write the whole path`);
        expect(exitCode).toBe(78);
      }
    },
  );

  const allowed = ['./data', '/srv/pet store/données', './~', "/srv/max's store/data", 'C:\\data', '/mnt/c$/store #2'];
  it.each(allowed)('may be %s', (path) => {
    const variables = { DATA_DIR: path, BACKUP_DIRECTORY: path, CATEGORIES_FILE: path };
    expect(readConfig(variables)).toMatchObject({ dataDir: path, backupDirectory: path, categoriesFile: path });
  });
});
