/** From the first number to the last one, both included. */
export interface NumberRange {
  first: bigint;
  last: bigint;
}

/** "12", "15-20", or the address of an animal's page, which a scanner types. */
const rangePattern = /^(?:\S*\/pets\/)?0*([1-9]\d{0,18})(?:-0*([1-9]\d{0,18}))?$/;

/** "12, 15-20". `undefined` if a part is not a number or a range. */
export function parseRanges(text: string): NumberRange[] | undefined {
  const parts = text.replaceAll(/\s*[-–]\s*/g, '-').split(/[\s,;]+/);
  const ranges = parts.filter(Boolean).map(parseRange);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

function parseRange(text: string): NumberRange | undefined {
  const [, first = '', last = first] = rangePattern.exec(text) ?? [];
  return first && BigInt(first) <= BigInt(last) ? { first: BigInt(first), last: BigInt(last) } : undefined;
}

export function formatRanges(ranges: readonly NumberRange[]): string {
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
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
