import { parseJson } from '@petstore/contracts';
import type { Line } from './lines.js';
import { type Fields, type Row, toRow } from './pet-columns.js';

/** Reads one JSON object per line. Blank lines are skipped. */
export class NdjsonRows {
  *push({ number, text, fault }: Line): Generator<Row, void> {
    if (fault !== undefined) yield { line: number, fault: `The line ${fault}.` };
    else if (text.trim() !== '') yield readObject(number, text);
  }

  *end(): Generator<Row, void> {
    // Every line is complete.
  }
}

function readObject(line: number, text: string): Row {
  try {
    const value = parseJson(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? toRow(line, value as Fields) : { line, fault: 'The line is not a JSON object.' };
  } catch (error) {
    return { line, fault: `The line is not valid JSON: ${(error as Error).message}.` };
  }
}
