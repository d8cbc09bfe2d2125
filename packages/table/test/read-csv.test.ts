import { describe, expect, it } from 'vitest';
import { readCsv } from '../src/read-csv.js';
import type { ReadOptions } from '../src/table.js';

/** The rows of a text, each as its number and its cells between bars. */
function rowsOf(text: string, options?: ReadOptions): string[] {
  return readCsv(text, { isHeader, ...options }).rows.map(({ number, cells }) => `${number}: ${cells.join('|')}`);
}

const isHeader = (cells: readonly string[]) => cells.includes('name') && cells.includes('categoryId');

describe('the rows of a CSV file', () => {
  it.for<[string, string, string[]]>([
    ['empty cells that are left out', 'name,categoryId,status\nRex,7\nMax,9,\n', ['2: Rex|7', '3: Max|9']],
    ['empty columns', 'name,categoryId,,\nRex,7,,\n', ['2: Rex|7']],
    ['blank rows, also of delimiters and spaces', 'name,categoryId\n\n,\nRex,7\n \t\nMax,8', ['4: Rex|7', '6: Max|8']],
    ['a further cell', 'name,categoryId\nRex,7,,x\n', ['2: Rex|7||x']],
    ['line breaks in a cell', 'name,categoryId\r\n"a\r\nb\nc",7\r\nRex,7\r\n', ['2: a\nb\nc|7', '3: Rex|7']],
    ['quotation marks', 'name,categoryId\n"R,""x""",7\nFish 2" long,8\n', ['2: R,"x"|7', '3: Fish 2" long|8']],
    ['spaces around a quoted cell', 'name,categoryId\n"Rex" ,"7" \n', ['2: Rex|7']],
    ['a formula that an export has made a text', "name,categoryId\n'=1+1,7\n'n,8\n", ['2: =1+1|7', "3: 'n|8"]],
    [
      'CR, as "CSV (Macintosh)" of Excel, and LF in cells',
      'name,categoryId\r"a\nb",7\rMax,8',
      ['2: a\nb|7', '3: Max|8'],
    ],
    ['a byte order mark in the middle', '\uFEFFname,categoryId\nRex,7\n\uFEFF"Max",8\n', ['2: Rex|7', '3: Max|8']],
  ])('may have %s', ([, text, rows]) => {
    expect(rowsOf(text).slice(1)).toEqual(rows);
  });

  it.for<[string, string]>([
    ['"name,categoryId\nRex,7\n', 'Row 1: a quotation mark opens a cell, but none closes it. '],
    ['name,categoryId\n"a\nb",7\n\n"Rex,7\nMax,8\n', 'Row 4: a quotation mark opens'],
    ['name,categoryId\n"Rex" the dog,7\nMax,8\n', 'Row 2: a cell that begins with a quotation mark has another'],
  ])('are not read if a quotation mark is wrong: %j', ([text, message]) => {
    expect(() => rowsOf(text)).toThrow(message);
  });

  it('are read in linear time, also after a line that is nearly sep=', () => {
    expect(rowsOf(`sep=${','.repeat(100_000)}x\nname,categoryId\n`)).toHaveLength(2);
  });

  it.for(['"Rex,7\n', '"\n"x,"\n'])('are refused in linear time, which a timeout would exceed: %j', (text) => {
    expect(() => rowsOf(`name,categoryId\n${text.repeat(150_000)}`)).toThrow('Row 2');
  });
});

describe('a formula in a CSV file', () => {
  const cellsOf = (text: string) =>
    readCsv(text, { isHeader }).rows.map(({ cells, cellFaults }) => ({ cells, cellFaults }));

  it.for([
    ['="007"', '007'],
    ['"=""007"""', '007'],
    ['="a ""b"""', 'a "b"'],
    ['"=""a, """"b"""""""', 'a, "b"'],
    ['=""', ''],
    ['="x" ', 'x'],
  ])('that is only a text is this text: %s', ([cell, text]) => {
    expect(cellsOf(`name,categoryId\n${cell},7\n`)[1]).toEqual({ cells: [text, '7'], cellFaults: undefined });
  });

  it.for(['=T("A")', '=A1+1', '"=T(""A"")"', '="A"&"B"', '="A', '= "A"&B1'])('is a fault: %s', (cell) => {
    const cellFaults = { 0: 'formula' };
    expect(cellsOf(`name,categoryId\n${cell},7\n`)[1]).toEqual({ cells: [expect.any(String), '7'], cellFaults });
  });

  it.for<[string, string]>([
    [`'="007"`, '="007"'],
    [`"'=T(""A"")"`, '=T("A")'],
    ['=', '='],
    [' =A1', ' =A1'],
    ['a="b"', 'a="b"'],
    ['"x,="""",y"', 'x,="",y'],
    ['5" ="x"', '5" ="x"'],
  ])('is not in %s', ([cell, text]) => {
    expect(cellsOf(`name,categoryId\n${cell},7\n`)[1]).toEqual({ cells: [text, '7'], cellFaults: undefined });
  });

  it.for(['="x', '=""x,', '="""x,', '="x""'])('is found in linear time, which a timeout would exceed: %s', (cell) => {
    readCsv(`name,categoryId\nx,${cell.repeat(50_000)}\n`, { isHeader });
  });
});

describe('the delimiter', () => {
  it.for<[string, string, string]>([
    ['sep=;; with a cell for each column', 'sep=;;;\r\nname;categoryId\r\na,b;7\r\n', 'a,b|7'],
    ['sep=, in quotes', '"sep=,"\r\nname,categoryId\r\na;b,7\r\n', 'a;b|7'],
    ['SEP=| and a byte order mark', '\uFEFFSEP=|\nname|categoryId\na,b|7\n', 'a,b|7'],
    ['sep= with a tab', 'sep=\t\nname\tcategoryId\na,b\t7\n', 'a,b|7'],
    ['sep=: which no file would be guessed to have', 'sep=:\nname:categoryId\na,b:7\n', 'a,b|7'],
  ])('is named by the first line %s, which does not count', ([, text, row]) => {
    expect(rowsOf(text)).toEqual(['1: name|categoryId', `2: ${row}`]);
  });

  it.for<[string, string, string]>([
    ['commas in names', 'name;categoryId\nRex, big;7\nMax;8\n', 'Rex, big|7'],
    ['semicolons in names', 'name,categoryId,status\nRex; big,7\nMax; old,8\n', 'Rex; big|7'],
    ['commas and tabs', 'name\tcategoryId\nRex, Max, Milo\t7\n', 'Rex, Max, Milo|7'],
    ['a title with commas', 'Stock, 2026, of a, b\nname;categoryId\nRex, big, lazy;7\n', 'Rex, big, lazy|7'],
    ['a header with more commas', 'Name, Rasse, Farbe;Kategorie\nRex;7\nBella;8\n', 'Rex|7'],
    ['decimal commas, and empty cells left out', 'A;B;C;D\nRex;7;2,50\nTom;8;9,99;A\nMax;9;8,00\n', 'Rex|7|2,50'],
    ['quoted delimiters', '"a;b;c;d",Kind\nRex,7\n"x;y",8\n', 'Rex|7'],
    ['below a title', 'Preise, Stand 2026\nTier;Art;Preis\nRex;7;12,50\nBella;8;9,99\n', 'Rex|7|12,50'],
    ['one column, which has none', 'Rex\nBella\n', 'Rex'],
  ])('separates the known columns, else gives the most cells in rows of the same length: %s', ([, text, row]) => {
    expect(rowsOf(text).map((found) => found.slice(3))).toContain(row);
  });
});

describe('pasted cells', () => {
  it.for<[string, string, string]>([
    ['quotes around a word', '"Rex"', '"Rex"'],
    ['a quote that is not closed', '"Rex', '"Rex'],
    ['quotes in the middle', 'Rex "the dog" Miller', 'Rex "the dog" Miller'],
    ['doubled quotes', '""Rex""', '""Rex""'],
    ['other delimiters', '"Rex", big, old; A', '"Rex", big, old; A'],
    ['a line break', '"Rex\n""the dog"""', 'Rex\n"the dog"'],
    ['a tab', '"Rex\tMiller"', 'Rex\tMiller'],
    ['what a spreadsheet shows, which is no formula', '=Milo', '=Milo'],
    ['the text of a formula', '="007"', '007'],
    ['an empty cell before them', '\tRex', '|Rex'],
  ])('keep %s', ([, cell, name]) => {
    expect(rowsOf(`name\tcategoryId\r\n${cell}\t7\r\nMax\t8\r\n`, { isPasted: true })).toEqual([
      '1: name|categoryId',
      `2: ${name}|7`,
      '3: Max|8',
    ]);
  });

  it('are read in linear time, which a timeout would exceed', () => {
    expect(rowsOf('"Rex\t"7\n'.repeat(100_000), { isPasted: true })).toHaveLength(100_000);
  });
});
