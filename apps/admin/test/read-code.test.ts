import { describe, expect, it } from 'vitest';
import { parseLabelCode } from '../src/features/scan/read-code.js';

describe('parseLabelCode', () => {
  it.each([
    ['http://192.168.1.5:3000/pets/12', { id: 12n, origin: 'http://192.168.1.5:3000' }],
    ['HTTPS://Store.example/pets/007', { id: 7n, origin: 'https://store.example' }],
  ])('reads the number of %s', (text, code) => {
    expect(parseLabelCode(text)).toEqual(code);
  });

  it.each([
    '12',
    'javascript:alert(1)//x/pets/12',
    'http://store.example/pets/new',
    'http://store.example/pets/12?next=/x',
    'http://store.example/pets/0',
    'http://store.example/pets/9223372036854775808',
    'data:text/html,/pets/12',
  ])('reads nothing from %s', (text) => {
    expect(parseLabelCode(text)).toBeUndefined();
  });
});
