import { describe, expect, it } from 'vitest';
import { findMisspellings, findWarnings, readConfig } from '../../src/platform/config/config.js';

describe('a variable that is probably misspelled', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['BOOTSTRAP_APIKEY', 'BOOTSTRAP_API_KEY'],
    ['RATE_LIMIT_PER_MINUTES', 'RATE_LIMIT_PER_MINUTE'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['BACKUP_DIR', 'BACKUP_DIRECTORY'],
    ['BACKUPS_DIR', 'BACKUP_DIRECTORY'],
    ['DATA_DIRECTORY', 'DATA_DIR'],
    ['RATE_LIMIT', 'RATE_LIMIT_PER_MINUTE'],
    ['DATABASE_POOL', 'DATABASE_POOL_MAX'],
    ['SHUTDOWN_GRACE', 'SHUTDOWN_GRACE_MS'],
  ])('gets a warning: %s', (name, known) => {
    expect(findMisspellings({ [name]: 'secret' })).toEqual([`${name} has no effect. Did you mean ${known}?`]);
  });

  it.each([
    'PATH',
    'HOME',
    'PORTS',
    'HOSTS',
    'TEST_DATABASE_URL',
    'DATABASE_URL',
    'NODE_ENV',
    'LOG_LEVELLING',
    'DATABASE_URL_TEST',
    'PUBLIC_',
    'METRICS',
  ])('does not include %s', (name) => expect(findMisspellings({ [name]: '' })).toEqual([]));
});

it.each([
  ['20.19.0', ['Node 20.19.0 gets no security fixes. Use Node 22 or 24.']],
  ['20.20.2', ['Node 20.20.2 gets no security fixes. Use Node 22 or 24.']],
  ['22.12.0', []],
  ['24.21.0', []],
  ['26.10.0', []],
])('the warnings of Node %s are %j', (node, warnings) => {
  expect(findWarnings({}, readConfig({}), node)).toEqual(warnings);
});
