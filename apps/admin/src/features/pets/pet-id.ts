import { int64 } from '@petstore/contracts';

/** `undefined` for what no animal can have: numbers are plain digits, from 1 on. */
export function petIdOf(text: string): bigint | undefined {
  const id = /^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : undefined;
  return id !== undefined && id <= int64.max ? id : undefined;
}
