import type { Table } from '@petstore/table/table.js';
import { expect, it } from 'vitest';
import { checkTable, isRefused, needsAnswer } from '../src/features/import/check-table.js';

const categories = [
  { id: '1', name: 'Rabbits' },
  { id: '2', name: 'Cats' },
  { id: '3', name: '4' },
  { id: '4', name: null },
];
const by = (value: string, id: string) => ({ field: 'categoryId' as const, value, by: id });
const check = (rows: readonly string[][], replacements = [by('hasen', '1'), by('cats', '1')]) => {
  // Excel has a boolean where the cell says TRUE.
  const cellFaults = (cells: readonly string[]) =>
    Object.fromEntries(cells.flatMap((cell, index) => (cell === 'TRUE' ? [[index, 'boolean' as const]] : [])));
  const tableRows = rows.map((cells, index) => ({ number: index + 1, cells, cellFaults: cellFaults(cells) }));
  const table: Table = { format: 'excel', rows: tableRows };
  const columns = ['name', 'categoryId', 'status'] as const;
  const layout = {
    titleRows: 0,
    hasHeader: false,
    columns,
    categories,
    knownCategories: ['1', '2', '3', '4'],
    replacements,
  };
  return checkTable(table, layout);
};

it('an answer counts for all rows with its value, but not for a value that the store knows', () => {
  const { rows, values } = check([
    ['Ada', 'Hasen'],
    ['Eva', ' HASEN '],
    ['Ida', '22'],
    ['Ute', 'Cats'],
    ['Uwe', 'TRUE'],
  ]);
  expect(rows.filter((row) => !isRefused(row))).toMatchObject([
    { categoryId: 1n },
    { categoryId: 1n },
    { categoryId: 2n },
  ]);
  expect(values).toEqual([
    { field: 'categoryId', value: 'Hasen', rows: 2, by: '1', isNew: false },
    { field: 'categoryId', value: '22', rows: 1, by: undefined, isNew: true },
    { field: 'categoryId', value: 'TRUE', rows: 1, by: undefined, isNew: false },
  ]);
});

it('only rows whose faults all have an answer wait for one', () => {
  const { rows } = check(
    [
      ['Ada', 'Hasen'],
      ['', 'Hasen'],
      ['Eva', ''],
      ['TRUE', 'Cats'],
    ],
    [],
  );
  expect(rows.filter(isRefused).map(needsAnswer)).toEqual([true, false, false, false]);
});

it('the number of a category that is the name of another one is a question, whose answer is a number', () => {
  const question = { field: 'categoryId', value: '4', rows: 1, isNew: false };
  expect(check([['Ada', '4']], []).values).toEqual([question]);
  for (const id of ['3', '4']) {
    const { rows, values } = check([['Ada', '4']], [by('4', id)]);
    expect([rows, values]).toMatchObject([[{ categoryId: BigInt(id) }], [{ ...question, by: id }]]);
  }
});
