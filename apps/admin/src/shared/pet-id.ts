import { int64 } from '@petstore/contracts';
import { readLabelText } from './label-text.js';

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
