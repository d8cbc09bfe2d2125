import { describe, expect, it } from 'vitest';
import { maxLabels, parseNumbers } from '../src/features/labels/label-search.js';

describe('parseNumbers', () => {
  it.each([
    ['12', [12n], '12'],
    ['12, 15-17', [12n, 15n, 16n, 17n], '12, 15-17'],
    ['15 - 17;3', [15n, 16n, 17n, 3n], '15-17, 3'],
    ['2–1', [1n, 2n], '1-2'],
    ['007 7-007', [7n, 7n], '7, 7'],
    ['http://192.168.1.5:3000/pets/12 13', [12n, 13n], '12, 13'],
    ['9223372036854775807', [9223372036854775807n], '9223372036854775807'],
    ['', [], ''],
  ])('reads %j', (input, numbers, text) => {
    expect(parseNumbers(input)).toEqual({ numbers, text, wrong: [] });
    expect(parseNumbers(text).numbers).toEqual(numbers);
  });

  it.each(['x', '1.5', '-3', '1-2-3', '0', '9223372036854775808'])('rejects %j, and reads the other parts', (part) => {
    expect(parseNumbers(`${part}, 7`)).toEqual({ numbers: [7n], text: '7', wrong: [part] });
  });

  it('reads one number more than a print can have', () => {
    expect(parseNumbers('1, 10-9000000000')).toMatchObject({ numbers: { length: maxLabels + 1 } });
  });
});
