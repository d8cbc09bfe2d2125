import { expect, it } from 'vitest';
import { readRows } from '../src/rows.js';
import { blobSource } from '../src/source.js';

it('reads a Blob, which is the file or the pasted text of a browser, in chunks', async () => {
  const names = Array.from({ length: 9_000 }, (_, index) => `Zoë ${index}`);
  const source = blobSource(new Blob(['name,categoryId\n', names.map((name) => `${name},7`).join('\n')]));
  const rows = [];
  for await (const row of readRows(source)) rows.push('pet' in row && row.pet.name);
  expect(rows).toEqual(names);
});
