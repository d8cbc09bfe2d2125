import { describe, expect, it } from 'vitest';
import { findMisspellings } from '../../src/platform/config/config.js';

describe('a variable that is probably misspelled', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['BOOTSTRAP_APIKEY', 'BOOTSTRAP_API_KEY'],
    ['AUTH_FAILURE_PER_MINUTE', 'AUTH_FAILURES_PER_MINUTE'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
  ])('gets a warning: %s', (name, known) => {
    expect(findMisspellings({ [name]: 'secret' })).toEqual([`${name} has no effect. Did you mean ${known}?`]);
  });

  it.each(['PATH', 'HOME', 'PORTS', 'HOSTS', 'TEST_DATABASE_URL', 'DATABASE_URL', 'NODE_ENV', 'LOG_LEVELLING'])(
    'does not include %s',
    (name) => expect(findMisspellings({ [name]: '' })).toEqual([]),
  );
});
