import { int64 } from '@petstore/contracts';

/** "42", "007", "1,000", or the address of an animal's page, from any host: a scanner types it. */
const numberPattern = /^(?:.*\/pets\/)?0*([1-9]\d{0,18}|[1-9]\d{0,2}(?:,\d{3})+)\/?$/i;

/** The animal number in a text, or `undefined`. */
export function parsePetNumber(text: string): bigint | undefined {
  const digits = numberPattern.exec(text.trim())?.[1]?.replaceAll(',', '');
  const id = digits === undefined ? undefined : BigInt(digits);
  return id !== undefined && id <= int64.max ? id : undefined;
}
