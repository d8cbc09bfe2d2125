import { type Category, int64Rule, isInt64, petNameFault, petNameFaults } from '@petstore/contracts';
import { type CsvRow, invalidLines, readRows } from './csv-rows.js';

interface ParsedCategories {
  categories: Category[];
  /** What is wrong, with the numbers of the lines. */
  faults: string[];
}

/** Reads a CSV file with the columns number and name, and an optional header row. */
export function parseCategories(bytes: Buffer): ParsedCategories {
  const undecodable = invalidLines(bytes);
  if (undecodable.length > 0) {
    return { categories: [], faults: undecodable.map((line) => `line ${line} must be UTF-8`) };
  }
  // The decoder removes a byte order mark.
  const rows = readRows(new TextDecoder().decode(bytes)).filter(({ cells }, index) => index > 0 || !isHeader(cells));
  const faults = [...rows.flatMap(faultsOf), ...repetitions(rows.filter((row) => faultsOf(row).length === 0))];
  return { categories: faults.length > 0 ? [] : rows.map(toCategory), faults };
}

function isHeader(cells: readonly string[]): boolean {
  return cells.join(',').toLowerCase() === 'number,name';
}

function toCategory({ cells: [number = '', name = ''] }: CsvRow): Category {
  return { id: BigInt(number), name };
}

function faultsOf({ line, cells, fault }: CsvRow): string[] {
  if (fault !== undefined) return [`line ${line}: ${fault}`];
  if (cells.length !== 2) return [`line ${line} must have 2 cells, number and name, not ${cells.length}`];
  const [number = '', name = ''] = cells;
  const nameFault = petNameFault(name);
  return [
    ...(isCategoryId(number) ? [] : [`line ${line}: number ${int64Rule}`]),
    ...(nameFault ? [`line ${line}: name ${petNameFaults[nameFault]}`] : []),
  ];
}

/** Plain digits, without leading zeros. */
function isCategoryId(text: string): boolean {
  return /^(0|-?[1-9]\d{0,18})$/.test(text) && isInt64(BigInt(text));
}

function repetitions(rows: readonly CsvRow[]): string[] {
  const lines = new Map<string | undefined, number>();
  return rows.flatMap(({ line, cells: [number] }) => {
    const earlier = lines.get(number);
    lines.set(number, earlier ?? line);
    return earlier === undefined ? [] : [`line ${line}: number ${number} is already on line ${earlier}`];
  });
}
