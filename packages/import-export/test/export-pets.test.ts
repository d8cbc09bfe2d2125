import { inflateRawSync } from 'node:zlib';
import { petFields, petNameFault, type Pet, petStatuses, trimName } from '@petstore/contracts';
import { readTable } from '@petstore/table/read-table.js';
import { tableLimits } from '@petstore/table/table.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRows } from '../src/check-rows.js';
import { exportFormats, exportPets, type ExportFormat, TooManyForExcel } from '../src/export-pets.js';
import { columnOf, isHeader } from '../src/pet-columns.js';

type Page = { pets: Pet[]; total?: number };

async function fileOf(pages: Page[], format: ExportFormat, names?: Map<bigint, string>): Promise<Blob> {
  async function* read() {
    yield* pages;
  }
  const parts = [];
  for await (const part of exportPets(read(), format, names)) parts.push(part);
  return new Blob(parts);
}

const pagesOf = (pets: Pet[]) => pets.map((pet) => ({ pets: [pet] }));
const named = (...names: string[]) => pagesOf(names.map((name) => ({ id: 1n, name, categoryId: -7n, status: 'sold' })));

const tableOf = async (file: Blob) =>
  readTable(new Uint8Array(await file.arrayBuffer()), { fields: petFields, isHeader });

/** What an import reads. */
async function imported(file: Blob): Promise<unknown[]> {
  const table = await tableOf(file);
  const hasHeader = table.format !== 'ndjson';
  const columns = hasHeader ? (table.rows[0]?.cells.map(columnOf) ?? []) : petFields;
  return [...checkRows(table, { titleRows: 0, hasHeader, columns, categories: [] })];
}

describe('an export', () => {
  it('is CSV with a header, CRLF and quotes where they are needed', async () => {
    const file = await fileOf(named('a "b", c', ' a\nb', 'a;b'), 'csv');
    // Further fields follow.
    const rows = [
      /^id,name,categoryId,status/,
      /^1,"a ""b"", c",-7,sold/,
      /^1," a\nb",-7,sold/,
      /^1,a;b,-7,sold/,
      /^$/,
    ];
    expect((await file.text()).split('\r\n')).toEqual(rows.map((row) => expect.stringMatching(row) as string));
  });

  it('is Excel with cells of the format text, as XML and Excel read them', async () => {
    const bytes = Buffer.from(await (await fileOf(named('_x0041_ \uFFFF<'), 'xlsx')).arrayBuffer());
    // The sheet is the first file of the archive.
    const sheet = String(inflateRawSync(bytes.subarray(30 + bytes.readUInt16LE(26))));
    expect(sheet).toContain('<c r="B2" t="inlineStr" s="1"><is><t>_x005F_x0041_ _xFFFF_&lt;</t></is></c>');
  });

  it.for(['csv', 'xlsx'] as const)('has the names of categories in %s by choice', async (format) => {
    const file = await fileOf(named('Mia'), format, new Map([[-7n, '=Cats, "big"']]));
    expect((await tableOf(file)).rows.map(({ cells }) => cells)).toEqual([
      expect.arrayContaining(['id', 'name', 'categoryId', 'categoryName', 'status']),
      expect.arrayContaining(['1', 'Mia', '-7', '=Cats, "big"', 'sold']),
    ]);
    expect(await imported(file)).toMatchObject([{ categoryId: -7n }]);
  });

  it.for([...`'=+-@\t\r\n＝＋－＠`])('prefixes a name that begins with %j in CSV, and no other', async (start) => {
    const text = await (await fileOf(named(`${start}1+1`, `R${start}1`), 'csv')).text();
    expect(text.match(/'+.1\+1|'R/gs)).toEqual([`'${start}1+1`]);
  });

  it.for(exportFormats)('in %s gives the same animals when it is imported, with trimmed names', async (format) => {
    const special = ['constructor', '__proto__', '_x0041_', '007', '1E5', 'TRUE', '1/2', 'a'.repeat(200), 'שלום 🐕'];
    const unit = fc.oneof(
      fc.constantFrom(...`'=+-@\t\r\n",;<&_ \uFEFF\uFFFF`),
      fc.string({ unit: 'binary', maxLength: 1 }),
    );
    const isName = (text: string) => [text, trimName(text)].every((each) => petNameFault(each) === undefined);
    const name = fc.oneof(fc.constantFrom(...special), fc.string({ unit }).filter(isName));
    const int64 = fc.oneof(fc.constant(9007199254740993n), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
    const pet = fc.record({ id: int64, name, categoryId: int64, status: fc.constantFrom(...petStatuses) });
    await fc.assert(
      fc.asyncProperty(fc.array(pet, { minLength: 1, maxLength: 5 }), async (pets) => {
        const wanted = pets.map(({ id: _id, ...one }) => ({ ...one, name: trimName(one.name) }));
        expect(await imported(await fileOf(pagesOf(pets), format))).toMatchObject(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it('has at most as many animals in an Excel file as an import reads', async () => {
    const pets = named(...Array.from({ length: tableLimits.excelRows }, () => 'Rex'));
    expect((await fileOf(pets, 'xlsx')).size).toBeGreaterThan(tableLimits.excelRows);
    await expect(fileOf([...pets, ...named('Max')], 'xlsx')).rejects.toThrow(TooManyForExcel);
    await expect(fileOf([{ pets: [], total: pets.length + 1 }], 'xlsx')).rejects.toThrow('at most 100,000 animals');
  });
});
