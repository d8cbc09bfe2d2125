import { int64 } from '@petstore/contracts';

/** The number in an address, also with leading zeros. `undefined` if no animal can have it: animals count from 1. */
export function parsePetId(text: string): bigint | undefined {
  const id = /^0*[1-9]\d{0,18}$/.test(text) ? BigInt(text) : undefined;
  return id !== undefined && id <= int64.max ? id : undefined;
}

/** The number that a person types, such as "#42" or "1,000", or a scanner: the address of an animal's page, on any host. */
export function parseTypedPetId(text: string): bigint | undefined {
  const number = text
    .trim()
    .replace(/^(?:#|.*\/pets\/)/i, '')
    .replace(/\/$/, '');
  return parsePetId(/^\d{1,3}(?:,\d{3})+$/.test(number) ? number.replaceAll(',', '') : number);
}

/** The number in the address of an animal's page, which a scanner types. A number alone may be a part of a name. */
export function parseLabelAddress(text: string): bigint | undefined {
  return /\/pets\//i.test(text) ? parseTypedPetId(text) : undefined;
}
