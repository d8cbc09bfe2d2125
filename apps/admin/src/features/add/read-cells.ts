import { petNameFault, trimName } from '@petstore/contracts';
import { guessColumn } from '@petstore/import-export/pet-columns.js';
import { readCsv } from '@petstore/table/read-csv.js';
import { lineBreak } from '../../shared/cell-input.js';
import { parseLabelAddress } from '../../shared/pet-id.js';
import { maxCount } from './pet-draft.js';

/** The content of several pasted cells or lines. */
export interface PastedCells {
  /** Those of one column, without its heading. */
  names?: readonly string[] | undefined;
  heading?: string | undefined;
  /** Whether the form can add the names. An import explains what is wrong with each row. */
  canAdd: boolean;
}

/** Few people paste cells: import this file when it is needed. */
export function readCells(text: string): PastedCells {
  const rows = readRows(text);
  const column = rows.every(({ length }) => length === 1) ? rows.flat() : undefined;
  const [first = '', ...others] = column ?? [];
  const heading = others.length > 0 && guessColumn(first) === 'name' ? first : undefined;
  const names = heading === undefined ? column : others;
  const canAdd =
    names !== undefined &&
    names.length > 0 &&
    names.length <= maxCount &&
    names.every((name) => petNameFault(name) === undefined && parseLabelAddress(name) === undefined);
  return { names, heading, canAdd };
}

function readRows(text: string): string[][] {
  const lines = text.split(lineBreak).join('\n');
  return readCsv(lines, { isPasted: true })
    .rows.map(({ cells }) => cells.map(trimName).filter((cell) => cell !== ''))
    .filter(({ length }) => length > 0);
}
