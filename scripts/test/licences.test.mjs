import { describe, expect, it } from 'vitest';
import { refused } from '../licences.mjs';

const packages = [{ name: 'some', versions: ['1.0.0', '2.1.0'] }];

describe('the licences of run-time dependencies', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'])('may be %s', (licence) => {
    expect(refused({ [licence]: packages })).toEqual([]);
  });

  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(MIT OR Apache-2.0) AND GPL-3.0-only',
    'Unknown',
    'SEE LICENSE IN LICENSE.md',
  ])('may not be %s', (licence) => {
    expect(refused({ MIT: [], [licence]: packages })).toEqual([`some@1.0.0, 2.1.0: ${licence}`]);
  });
});
