import { parseLabelAddress } from '../../shared/pet-id.js';

/** From the first number to the last one, both included. */
export interface NumberRange {
  first: bigint;
  last: bigint;
}

/** A part of the text that is not a range, and why. */
export interface RangeFault {
  part: string;
  /** The rest of a sentence that starts with the part. */
  reason: string;
}

/** "12", "15-20", or the address of an animal's page with a range. */
const rangePattern = /^(?:\S*\/pets\/)?0*(\d+)(?:-0*(\d+))?$/;
/** An int64 has at most 19 digits. */
const maxNumber = 2n ** 63n - 1n;

/** "12, 15-20". The faults name the parts that are no numbers and no ranges. */
export function parseRanges(text: string): { ranges: NumberRange[]; faults: RangeFault[] } {
  const results = splitParts(text).map(parseRange);
  return {
    ranges: results.filter((result) => 'first' in result),
    faults: results.filter((result) => 'reason' in result),
  };
}

/** A scanner may type one address after the other, and other layouts type "," or ";" for the characters of an address. */
function splitParts(text: string): string[] {
  const words = text
    .replaceAll(/(?=http)/gi, ' ')
    .replaceAll(/\s*[-–]\s*(?=\d)/g, '-')
    .split(/\s+/)
    .map((word) => word.replace(/[,;]+$/, ''));
  return words.flatMap((word) => (isLabel(word) ? word : word.split(/[,;]+/))).filter(Boolean);
}

const isLabel = (word: string) => parseLabelAddress(word) !== undefined;

function parseRange(part: string): NumberRange | RangeFault {
  const id = parseLabelAddress(part);
  if (id !== undefined) return { first: id, last: id };
  const match = rangePattern.exec(part);
  if (!match) return { part, reason: 'is not a number or a range' };
  const [, firstDigits = '', lastDigits = firstDigits] = match;
  const [first, last] = [BigInt(firstDigits), BigInt(lastDigits)];
  if (first > maxNumber || last > maxNumber) return { part, reason: 'has more digits than any number' };
  if (first === 0n || last === 0n) return { part, reason: 'is not possible: numbers start at 1' };
  if (first > last) return { part, reason: `starts with the higher number: write ${last}-${first}` };
  return { first, last };
}

/** "x is not a number or a range. 5-2 starts with the higher number: write 2-5." */
export function rangeFaultText(faults: readonly RangeFault[]): string {
  return faults.map(({ part, reason }) => `${part.slice(0, 40)} ${reason}.`).join(' ');
}

/** The parts of the ranges up to a number. */
export function rangesUpTo(ranges: readonly NumberRange[], newest: bigint): NumberRange[] {
  const lower = ranges.filter(({ first }) => first <= newest);
  return lower.map(({ first, last }) => ({ first, last: last < newest ? last : newest }));
}

export function formatRanges(ranges: readonly NumberRange[]): string {
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}

/** Consecutive numbers, in ascending order, as ranges. */
export function toRanges(numbers: readonly bigint[]): NumberRange[] {
  const ranges: NumberRange[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range && range.last + 1n === number) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges;
}

/** The numbers of the ranges at the positions from `start`: a range can be longer than the memory. */
export function takeNumbers(ranges: readonly NumberRange[], start: bigint, count: bigint): bigint[] {
  const numbers: bigint[] = [];
  let skip = start;
  for (const { first, last } of ranges) {
    const size = last - first + 1n;
    for (let offset = skip; offset < size && BigInt(numbers.length) < count; offset += 1n) numbers.push(first + offset);
    skip = skip > size ? skip - size : 0n;
  }
  return numbers;
}
