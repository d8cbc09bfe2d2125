import { describe, expect, it } from 'vitest';
import { faultsOf, rowsOf } from './support/files.js';

const rex = { name: 'Rex', categoryId: 7n };

describe('a CSV file', () => {
  it('has columns in any order, and an empty status is an omitted one', async () => {
    expect(await rowsOf('categoryId,status,name\n7,,Rex\n8,sold,Bella\n')).toEqual([
      { line: 2, pet: rex },
      { line: 3, pet: { name: 'Bella', categoryId: 8n, status: 'sold' } },
    ]);
  });

  it('ignores the id, and the case, spaces, dashes and underscores of column names', async () => {
    expect(await rowsOf('ID, Name ,Category-Id\n12,Rex,7')).toEqual([{ line: 2, pet: rex }]);
    expect(await rowsOf('id,name,category_id\nnone,Rex,7')).toEqual([{ line: 2, pet: rex }]);
  });

  it.for([',', ';', '\t'])('may use %j as delimiter, CRLF or LF, and a byte order mark', async (delimiter) => {
    const lines = [`\uFEFFname${delimiter}categoryId`, `Rex${delimiter}7`, `"R${delimiter}""x"""${delimiter} 8 `];
    for (const end of ['\r\n', '\n']) {
      expect(await rowsOf(lines.join(end) + end)).toEqual([
        { line: 2, pet: rex },
        { line: 3, pet: { name: `R${delimiter}"x"`, categoryId: 8n } },
      ]);
    }
  });

  it('has names with line breaks, which stay as they are, and lines that count all of them', async () => {
    expect(await rowsOf('name,categoryId\r\n"a\r\nb\nc",7\r\nRex,7\r\n')).toEqual([
      { line: 2, pet: { name: 'a\r\nb\nc', categoryId: 7n } },
      { line: 5, pet: rex },
    ]);
  });

  it('has exact integers, also beyond 2^53', async () => {
    const rows = await rowsOf('name,categoryId\nRex,9223372036854775807\nRex,-9223372036854775808\n');
    expect(rows.map((row) => 'pet' in row && row.pet.categoryId)).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
  });

  it('may have blank lines, also of delimiters only', async () => {
    expect(await rowsOf('\n\nname,categoryId\n\n,\nRex,7\n  \n')).toEqual([{ line: 6, pet: rex }]);
  });

  it('is the same in chunks of any size, with characters of several bytes', async () => {
    const name = 'Zoë 🐕';
    for (const chunkBytes of [1, 2, 3, 1000]) {
      expect(await rowsOf(`name,categoryId\n${name},7`, chunkBytes)).toEqual([{ line: 2, pet: { ...rex, name } }]);
    }
  });

  it('names each invalid field of a line, in the words of the service', async () => {
    expect(
      await faultsOf(`name,categoryId,status\n,x,lost\n${'a'.repeat(201)},9223372036854775808,\n   ,1.5,`),
    ).toEqual([
      '2: `name` is required. `categoryId` must be an integer between -9223372036854775808 and 9223372036854775807. `status` must be one of: available, pending, sold.',
      '3: `name` must have at most 200 Unicode code points. `categoryId` must be an integer between -9223372036854775808 and 9223372036854775807.',
      '4: `name` must not be only white space. `categoryId` must be an integer between -9223372036854775808 and 9223372036854775807.',
    ]);
  });
});

describe('the first line of a CSV file', () => {
  const expected = 'The first line must name the columns `name` and `categoryId`, and may name `status` and `id`.';

  it.for([
    ['name,status\nRex,sold', `1: The column \`categoryId\` is missing. ${expected}`],
    ['name,categoryId,Name\nRex,7,Rex', '1: The column `name` occurs more than once.'],
    ['name,categoryId,color\nRex,7,red', `1: \`color\` is not a known column. ${expected}`],
    ['Rex,7\nBella,8', `1: \`Rex\` is not a known column. ${expected}`],
    ['name,categoryId\rRex,7\rBella,8\r', '1: The lines end with CR. Save the file with LF or CRLF line ends.'],
    ['', '1: The file is empty.'],
    ['\n \n', '1: The file is empty.'],
  ])('is rejected alone: %j', async ([content = '', fault]) => {
    expect(await faultsOf(content)).toEqual([fault]);
  });
});
