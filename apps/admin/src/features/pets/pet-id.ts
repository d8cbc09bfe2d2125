import { int64 } from '@petstore/contracts';

/** The number in an address, also with leading zeros. `undefined` if no animal can have it: animals count from 1. */
export function parsePetId(text: string): bigint | undefined {
  const id = /^0*[1-9]\d{0,18}$/.test(text) ? BigInt(text) : undefined;
  return id !== undefined && id <= int64.max ? id : undefined;
}
