import { describe, expect, it } from 'vitest';
import { rejected } from '../licenses.mjs';

const packages = [{ name: 'some', versions: ['1.0.0', '2.1.0'] }];

describe('the licenses of run-time dependencies', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'])('may be %s', (license) => {
    expect(rejected({ [license]: packages })).toEqual([]);
  });

  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(MIT OR Apache-2.0) AND GPL-3.0-only',
    'Unknown',
    'SEE LICENSE IN LICENSE.md',
  ])('may not be %s', (license) => {
    expect(rejected({ MIT: [], [license]: packages })).toEqual([`some@1.0.0, 2.1.0: ${license}`]);
  });
});
