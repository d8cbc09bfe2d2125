import { crc32 } from 'node:zlib';
import { type ListOrder, listOrders, type PetStatus, petStatuses } from '@petstore/contracts';

/** What a walk over the list is a walk of. */
export interface Walk {
  status: PetStatus | undefined;
  order: ListOrder;
}

const filters = [undefined, ...petStatuses];
const placeBytes = 9;
const cursorBytes = placeBytes + 4;

/** What every cursor looks like: base64url (RFC 4648, section 5) without padding. */
export const cursorPattern = `^[A-Za-z0-9_-]{${Math.ceil((cursorBytes * 4) / 3)}}$`;

/**
 * The place after an animal, as an opaque text of 18 characters: one byte for the walk, eight for the id, four of a
 * checksum. The checksum is no secret; it tells a mistyped cursor from a real one.
 */
export function encodeCursor({ status, order }: Walk, lastId: bigint): string {
  const bytes = Buffer.alloc(cursorBytes);
  bytes.writeUInt8(filters.indexOf(status) * listOrders.length + listOrders.indexOf(order), 0);
  bytes.writeBigInt64BE(lastId, 1);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, placeBytes)), placeBytes);
  return bytes.toString('base64url');
}

/** The id that a cursor stands behind; `undefined` when it is none, or was made for another walk. */
export function decodeCursor(walk: Walk, cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== cursorBytes) return undefined;
  const lastId = bytes.readBigInt64BE(1);
  return encodeCursor(walk, lastId) === cursor ? lastId : undefined;
}
