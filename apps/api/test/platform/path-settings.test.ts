import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.js';
import { refusal } from '../support/refusal.js';

describe('a path', () => {
  const odd = [
    '"/srv/store"',
    "'/srv/store'",
    '`/srv/store`',
    '“/srv/store”',
    '"/srv/store',
    '/srv/store"',
    '" /srv/store "',
    '" "',
    ' /srv/store',
    '/srv/store ',
    '/srv/store\t',
    '/srv/store\r',
    '/srv/store\n',
    '\u00A0/srv/store',
    '\uFEFF/srv/store',
    '/srv/store\u200B',
    '/srv/\u0000store',
    '/srv/st\u001B[0more',
    '/srv/store\u007F',
    '~',
    '~/store',
    '"~/store"',
    '$HOME/store',
    '${HOME}/store',
    '~max/store',
    '$STATE_DIRECTORY/store',
    'file:///srv/store',
    'file:store',
  ];

  it.each(['DATA_DIR', 'BACKUP_DIRECTORY', 'CATEGORIES_FILE', 'DATABASE_URL_FILE', 'BOOTSTRAP_API_KEY_FILE'])(
    '%s that a person did not mean is rejected',
    (name) => {
      for (const value of odd) {
        const { faults, exitCode } = refusal({ [name]: value });
        expect(faults, value).toEqual([expect.stringContaining(`${name} must be the path of a `)]);
        expect(faults[0]).toContain(`not ${JSON.stringify(value)}. Write the whole path`);
        expect(exitCode).toBe(78);
      }
    },
  );

  it.each([
    './data',
    '../data',
    '/srv/pet store/données',
    './~',
    '/srv/~/$1',
    "/srv/max's store/data",
    'C:\\data',
    'file/x',
    '/srv/नमस्‍ते',
  ])('may be %s', (value) => {
    expect(readConfig({ DATA_DIR: value, BACKUP_DIRECTORY: value, CATEGORIES_FILE: value })).toMatchObject({
      dataDir: value,
      backupDirectory: value,
      categoriesFile: value,
    });
  });
});
