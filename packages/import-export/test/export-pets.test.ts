import { type NewPet, type Pet, petNameFault, petStatuses, trimName } from '@petstore/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvOptions, exportFormats, exportPets, type ExportFormat } from '../src/export-pets.js';
import { rowsOf } from './support/files.js';

async function exported(pets: Pet[], format: ExportFormat, options: CsvOptions = {}): Promise<string> {
  const pages = async function* pagesOf() {
    for (const pet of pets) yield { pets: [pet] };
  };
  let text = '';
  for await (const part of exportPets(pages(), format, options)) text += part;
  return text;
}

function petNamed(name: string): Pet {
  return { id: 1n, name, categoryId: -7n, status: 'sold' };
}

describe('an export', () => {
  it('is CSV with a header, CRLF and quotes where they are needed', async () => {
    expect(await exported([petNamed('Rex'), petNamed('a "b", c')], 'csv')).toBe(
      'id,name,categoryId,status\r\n1,Rex,-7,sold\r\n1,"a ""b"", c",-7,sold\r\n',
    );
  });

  it.each([';', '\t', ','])('has another delimiter and the names of categories by choice: %j', async (delimiter) => {
    const categoryNames = new Map([
      [-7n, `Birds${delimiter}big`],
      [8n, '=Cats'],
    ]);
    const pets = [
      petNamed(`a${delimiter}b`),
      { ...petNamed('Mia'), categoryId: 8n },
      { ...petNamed('Max'), categoryId: 9n },
    ];
    const csv = await exported(pets, 'csv', { delimiter, categoryNames });
    const lines = csv.split('\r\n').map((line) => line.replaceAll(delimiter, '|'));
    expect(lines).toEqual([
      'id|name|categoryId|categoryName|status',
      '1|"a|b"|-7|"Birds|big"|sold',
      "1|Mia|8|'=Cats|sold",
      '1|Max|9||sold',
      '',
    ]);
    const rows = (await rowsOf(csv)).map((row) => ('pet' in row ? row.pet : row));
    expect(rows).toEqual(pets.map(({ id: _id, ...pet }) => ({ ...pet, name: trimName(pet.name) })));
  });

  it.for(["'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
    'prefixes a name that begins with %j in CSV',
    async (start) => {
      const csv = await exported([petNamed(`${start}1+1`)], 'csv');
      expect(csv).toContain(`'${start}1+1`);
      const [row] = await rowsOf(csv);
      expect(row).toMatchObject({ pet: { name: trimName(`${start}1+1`) } });
      expect(await exported([petNamed(`${start}1+1`)], 'ndjson')).not.toContain(`'${start}1+1`);
    },
  );

  it('prefixes no other name, and the import keeps other names that begin with an apostrophe', async () => {
    expect(await exported([petNamed('R=x')], 'csv')).toContain('1,R=x,');
    expect(await rowsOf(`name,categoryId\n'tis,7`)).toEqual([{ line: 2, pet: { name: "'tis", categoryId: 7n } }]);
  });

  it.for(exportFormats)('in %s gives the same animals when it is imported, with trimmed names', async (format) => {
    const name = fc
      .string({
        unit: fc.oneof(fc.constantFrom(...`'=+-@\t\r\n",; \uFEFF`), fc.string({ unit: 'binary', maxLength: 1 })),
      })
      .filter((text) => [text, trimName(text)].every((each) => petNameFault(each) === undefined));
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const pet = fc.record({ id: int64, name, categoryId: int64, status: fc.constantFrom(...petStatuses) });
    await fc.assert(
      fc.asyncProperty(fc.array(pet, { maxLength: 5 }), async (pets) => {
        const rows = await rowsOf(await exported(pets, format), { chunkBytes: 1000 });
        const wanted = pets.map(({ name: petName, categoryId, status }): NewPet => ({
          name: trimName(petName),
          categoryId,
          status,
        }));
        expect(rows.map((row) => ('pet' in row ? row.pet : row))).toEqual(
          pets.length === 0 && format === 'ndjson' ? [{ line: 1, faults: [{ code: 'emptyFile' }] }] : wanted,
        );
      }),
      { numRuns: 300 },
    );
  });
});
