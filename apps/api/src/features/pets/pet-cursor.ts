import { crc32 } from 'node:zlib';
import { type ListOrder, listOrders, type PetStatus, petStatuses } from '@petstore/contracts';

/** The filter and order of a walk through the list. A cursor is valid only for its walk. */
export interface Walk {
  status: PetStatus | undefined;
  order: ListOrder;
}

const filters = [undefined, ...petStatuses];
const payloadBytes = 9;
const cursorBytes = payloadBytes + 4;

/** base64url (RFC 4648, section 5) without padding. */
export const cursorPattern = `^[A-Za-z0-9_-]{${Math.ceil((cursorBytes * 4) / 3)}}$`;

/**
 * Encodes the first id that the next page may contain, as 18 opaque characters. They hold one byte for the walk, eight for
 * the id, and four for a CRC-32 that detects mistyped cursors.
 */
export function encodeCursor({ status, order }: Walk, firstId: bigint): string {
  const bytes = Buffer.alloc(cursorBytes);
  bytes.writeUInt8(filters.indexOf(status) * listOrders.length + listOrders.indexOf(order), 0);
  bytes.writeBigInt64BE(firstId, 1);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, payloadBytes)), payloadBytes);
  return bytes.toString('base64url');
}

/** Returns the id, or `undefined` if the cursor is malformed or belongs to another walk. */
export function decodeCursor(walk: Walk, cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== cursorBytes) return undefined;
  const firstId = bytes.readBigInt64BE(1);
  return encodeCursor(walk, firstId) === cursor ? firstId : undefined;
}
