import { readCsv } from '@petstore/table/read-csv.js';
import { expect, it } from 'vitest';
import { refusedFile } from '../src/refused-file.js';
import { tableOf } from './support/tables.js';

const columns = ['name', 'categoryId'] as const;
const table = tableOf('Zoo\nTier;Art\n=1+1;-99\nRex;7\n\'=a;"x"\n\na;b;\'c;d');
const reasons = new Map([
  [3, 'Too "big".'],
  [5, 'No category.'],
  [7, 'Too long.'],
]);

it('The refused rows have their cells, number and reason, and no cell that a spreadsheet runs', () => {
  expect(refusedFile(table, { titleRows: 1, hasHeader: true, columns }, reasons).split('\r\n')).toEqual([
    'Tier,Art,Row,Reason',
    `'=1+1,-99,3,"Too ""big""."`,
    `''=a,"""x""",5,No category.`,
    "a,b,7,Too long.,''c,d",
  ]);
});

it('The refused rows of a table without names have the same cells when they are read again', () => {
  const text = refusedFile(table, { titleRows: 2, hasHeader: false, columns }, reasons);
  expect(readCsv(text).rows.map(({ cells }) => cells)).toEqual([
    ['=1+1', '-99', '3', 'Too "big".'],
    ["'=a", '"x"', '5', 'No category.'],
    ['a', 'b', '7', 'Too long.', "'c", 'd'],
  ]);
});

it('The refused rows have the corrections of the person', () => {
  const corrections = { 3: ['Bella', ''] };
  const text = refusedFile(
    table,
    { titleRows: 1, hasHeader: true, columns, corrections },
    new Map([[3, 'No category.']]),
  );
  expect(text.split('\r\n')).toEqual(['Tier,Art,Row,Reason', 'Bella,,3,No category.']);
});
