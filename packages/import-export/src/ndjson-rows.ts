import { parse } from 'lossless-json';
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
    const value = parse(text, undefined, toExactNumber);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? toRow(line, value as Fields) : { line, fault: 'The line is not a JSON object.' };
  } catch (error) {
    return { line, fault: `The line is not valid JSON: ${(error as Error).message}.` };
  }
}

/** Integers keep all digits. The service also accepts integers with a fraction or an exponent, such as 1.0 and 1e2. */
function toExactNumber(text: string): bigint | number {
  // An int64 has at most 19 digits. More than 40 would only cost time.
  if (/^-?\d{1,40}$/.test(text)) return BigInt(text);
  return Number.isSafeInteger(Number(text)) ? BigInt(Number(text)) : Number(text);
}
