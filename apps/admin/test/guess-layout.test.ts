import { petFields } from '@petstore/contracts';
import type { Table } from '@petstore/table/table.js';
import { describe, expect, it } from 'vitest';
import { guessLayout, type KnownCategory } from '../src/features/import/guess-layout.js';

const categories: KnownCategory[] = [
  { id: 7n, name: 'Hunde' },
  { id: 8n, name: 'Rongeurs élevés' },
  { id: 9n, name: 'Category' },
  { id: 12n, name: null },
];

/** A table with a row for each line, whose cells `;` separates. */
function tableOf(text: string): Table {
  return {
    format: 'csv',
    rows: text.split('\n').map((line, index) => ({ number: index + 1, cells: line.split(';') })),
  };
}

/** The layout as `title rows, header, columns`: `n` is the name, `c` the category, `s` the status, `i` the id, `-` none. */
function layoutOf(text: string, chosen?: Parameters<typeof guessLayout>[2]): string {
  const { titleRows, hasHeader, columns } = guessLayout(tableOf(text), categories, chosen);
  return `${titleRows} ${hasHeader} ${columns.map((column) => column?.[0] ?? '-').join('')}`;
}

describe('the layout of a table', () => {
  it.for<[string, string, string]>([
    ['the names of an export', 'id;name;categoryId;categoryName;status\n1;Rex;7;Hunde;sold', '0 true inc-s'],
    ['in other forms', '#ID; NAME* ;Category-Id:\n1;Rex;7', '0 true inc'],
    ['in English', 'Animal;Category Number;Availability\nRex;7;sold', '0 true ncs'],
    ['in German', 'Tiername;Kategorie;Zustand\nRex;7;sold', '0 true ncs'],
    ['in French', "Nom de l'animal;Catégorie;État\nRex;7;sold", '0 true ncs'],
    ['in Spanish', 'Estado;Nombre;Categoría\nsold;Rex;7', '0 true snc'],
    ['an unknown one', 'Name;Kategorie;Rasse\nRex;Hunde;Dackel', '0 true nc-'],
    ['a better one', 'Tier;Name;Kategorie\nHund;Rex;7', '0 true -nc'],
    ['a repeated one', 'Name;Kategorie;name\nRex;7;Max', '0 true nc-'],
    ['positions that are numbers of categories', 'Pos.;Tiername;Gruppe\n7;Rex;Teckel\n8;Bella;Hamster', '0 true -n-'],
    ['ages', 'Tiername;Alter\nRex;7\nBella;8', '0 true n-'],
    ['partly known ones', 'Rufname;Gruppe;Status\nRex;Hunde;sold', '0 true ncs'],
    ['the name of a category', 'Name;Category\nRex;7', '0 true nc'],
  ])('has names of columns: %s', ([, text, layout]) => {
    expect(layoutOf(text)).toBe(layout);
  });

  it.for<[string, string, string]>([
    ['two', 'Zoo Berlin\n2026-11-25\nAnimal;Category\nRex;7', '2 true nc'],
    ['of several cells', 'Zoo;Berlin\nname;category;status\nRex;7;', '1 true ncs'],
    ['in another column', ';Zoo\n;Rufname;Gruppe\n;Rex;Hunde', '1 undefined -nc'],
    ['a comment', '# exported 2026-11-25, 7 animals\nname;category\nRex;7', '1 true nc'],
    ['a comment above unknown names', '# exported; 14:00\nRufname;Gruppe\nRex;Hunde', '1 undefined nc'],
    ['too far above', `${'Zoo\n'.repeat(10)}name;category\nRex;7`, '0 undefined nc'],
  ])('has titles: %s', ([, text, layout]) => {
    expect(layoutOf(text)).toBe(layout);
  });

  it.for<[string, string, string]>([
    ['a number', 'Rex;5\nBella;6', '0 false nc'],
    ['the name of a category', 'HUNDE;Rex\nHunde;Bella', '0 false cn'],
    ['a status', ' SOLD ;Rex;5\n;Bella;8', '0 false snc'],
    ['a word for a status', ' reserviert ;Rex;5\n;Bella;8', '0 false snc'],
    ['without a category', 'Rex\nBella;7', '0 false nc'],
    ['names like categories', 'Hunde;Rex\nHunde;Hunde\nHunde;Max', '0 false cn'],
    ['numbers as names', '101;Hunde\n102;Hunde', '0 false nc'],
    ['a name like a status', 'sold;Hunde;sold\nRex;Hunde;sold', '0 false ncs'],
    ['ids and categories', '1;Rex;7\n2;Bella;7', '0 false -nc'],
    ['other numbers than categories', 'Rex;120;7\nBella;95;12', '0 false n-c'],
    ['prices like categories', 'Rex;Hunde;7\nBella;Hunde;8', '0 false nc-'],
    ['a name like a column', 'Rex;7\nName;7', '0 false nc'],
    ['positions and unknown groups', '7;Rex;Teckel\n8;Bella;Hamster', '0 false -n-'],
    ['two columns of numbers', '5;6\n7;8', '0 false --'],
    ['two columns of categories', 'Rex;Hunde;Hunde', '0 false n--'],
    ['ids that are numbers of categories', '7;Rex;8\n8;Bella;7', '0 false -n-'],
  ])('begins with an animal: %s', ([, text, layout]) => {
    expect(layoutOf(text)).toBe(layout);
  });

  it.for<[string, string, string]>([
    ['names that are not known', 'Rufname;Gruppe\nRex;Hunde', '0 undefined nc'],
    ['an animal with the name of a column', 'Name;7\nRex;8', '0 undefined nc'],
    ['a column with the name of a status', 'Name;Sorte;Available;Sold\nRex;Hunde;3;4', '0 undefined nc--'],
    ['an animal above the names, as after sorting', 'Bella;Hunde\nName;Kategorie\nRex;7', '1 undefined nc'],
    ['only names of animals', 'Bella\nRex', '0 undefined n'],
  ])('is not sure: %s', ([, text, layout]) => {
    expect(layoutOf(text)).toBe(layout);
  });

  it.for<[Parameters<typeof guessLayout>[2], string]>([
    [{ titleRows: 1 }, '1 true nc'],
    [{ hasHeader: false }, '0 false nc'],
    [{ titleRows: 2, hasHeader: false }, '2 false nc'],
  ])('follows what a person has chosen: %j', ([chosen, layout]) => {
    expect(layoutOf('Zoo Berlin;2026\nName;Tierart\nRex;Hunde', chosen)).toBe(layout);
  });

  it('of NDJSON has the fields of an animal', () => {
    const layout = { titleRows: 0, hasHeader: false, columns: petFields };
    expect(guessLayout({ format: 'ndjson', rows: [] }, [])).toEqual(layout);
  });
});
