import { int64 } from '@petstore/contracts';

/** The number in an address, also with leading zeros. `undefined` if no animal can have it: animals count from 1. */
export function parsePetId(text: string): bigint | undefined {
  const id = /^0*[1-9]\d{0,18}$/.test(text) ? BigInt(text) : undefined;
  return id !== undefined && id <= int64.max ? id : undefined;
}

/** The number that a person types, such as "#42" or "1,000", or a scanner: the address of an animal's page, on any host. */
export function parseTypedPetId(text: string): bigint | undefined {
  const label = parseLabelAddress(text);
  if (label !== undefined) return label;
  const number = text.trim().replace(/^#/, '');
  return parsePetId(/^\d{1,3}(?:,\d{3})+$/.test(number) ? number.replaceAll(',', '') : number);
}

/**
 * The number in the address of an animal's page, which a scanner types, also with the keys of another keyboard layout. A
 * number alone may be a part of a name.
 */
export function parseLabelAddress(text: string): bigint | undefined {
  const [, number] = /\/pets\/(\d+)\/?$/i.exec(text.trim()) ?? [];
  return parsePetId(number ?? readLabelText(text)?.number ?? '');
}

/** What the keys 0 to 9 type without Shift in layouts that have the digits with Shift. */
const digitRows = [
  // France
  'à&é"\'(-è_ç',
  // Belgium
  'à&é"\'(§è!ç',
  // Czech Republic
  'é+ěščřžýáí',
  // Slovakia
  'é+ľščťžýáí',
  // Hungary
  'ö123456789',
  // Lithuania
  '“ąčęėįšųū„',
  // Arabic and Persian digits
  '٠١٢٣٤٥٦٧٨٩',
  '۰۱۲۳۴۵۶۷۸۹',
  '0123456789',
];
const digitCharacters = [...new Set(digitRows.join(''))].map((character) => character.replace('-', '\\-')).join('');

/**
 * `http…://…/pets/42` in any layout: a key types the same character each time. The letters of "http" repeat like A B B C,
 * "pets" like C x B y, and one character separates the parts.
 */
const typedAddress = /(\S)(?!\1)(\S)\2(?!\1|\2)(\S)\S{0,2}?(\S)\4\S*\4\3(\S)\2(\S)\4(\S+?)\4?$/u;
/** With the usual letters, also when characters between them are missing. */
const latinAddress = new RegExp(`http.*pets.*?([${digitCharacters}]+)[^\\p{L}\\p{N}]?$`, 'u');

export interface LabelText {
  /** The digits, if the layout is certain. */
  number?: string;
}

/**
 * Recognizes the address of an animal's page as a scanner types it whose keyboard layout differs from that of the computer,
 * such as `http:§§petstore§pets§2`, also with Caps Lock.
 */
export function readLabelText(text: string): LabelText | undefined {
  // In lower case, the Turkish İ is two characters: i and a dot.
  const typed = text.trim().toLowerCase().replaceAll('\u0307', '');
  const tail = typedAddress.exec(typed)?.[7] ?? latinAddress.exec(typed)?.[1];
  if (tail === undefined) return undefined;
  const numbers = new Set(digitRows.map((row) => toDigits(tail, row)).filter((number) => number !== undefined));
  const [number] = numbers;
  return number !== undefined && numbers.size === 1 ? { number } : {};
}

function toDigits(tail: string, row: string): string | undefined {
  const digits = Array.from(tail, (character) => row.indexOf(character));
  // No label has a number that starts with 0.
  return digits.includes(-1) || digits[0] === 0 ? undefined : digits.join('');
}
