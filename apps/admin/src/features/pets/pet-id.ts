import { int64 } from '@petstore/contracts';

/** `undefined` if no animal can have this number: animals count from 1, without leading zeros. */
export function parsePetId(text: string): bigint | undefined {
  const id = /^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : undefined;
  return id !== undefined && id <= int64.max ? id : undefined;
}
