import { readFile } from 'node:fs/promises';
import { readTable } from '../../src/read-table.js';
import type { Table } from '../../src/table.js';
import { type Parts, workbookOf } from './workbook.js';

export const isHeader = (cells: readonly string[]) => cells.includes('Name');

/** The rows, each as its number and its cells between bars, with the fault of a cell after it. */
export function textsOf({ rows }: Table): string[] {
  return rows.map(({ number, cells, cellFaults }) => {
    const texts = cells.map((cell, index) => (cellFaults?.[index] ? `${cell} (${cellFaults[index]})` : cell));
    return `${number}: ${texts.join('|')}`;
  });
}

export async function readFixture(name: string, includeHidden = true): Promise<Table> {
  return readTable(await readFile(new URL(`../fixtures/${name}`, import.meta.url)), { isHeader, includeHidden });
}

/** Reads a workbook with one sheet. */
export async function rowsOf(rows: string, parts?: Parts): Promise<string[]> {
  return textsOf(await readTable(workbookOf([{ name: 'Animals', rows }], parts)));
}
