import { hash } from 'node:crypto';
import { type ListOrder, listOrders, type PetStatus, petStatuses } from '@petstore/contracts';

/** What a walk over the list is a walk of. */
export interface Walk {
  status: PetStatus | undefined;
  order: ListOrder;
}

const filters = [undefined, ...petStatuses];

/**
 * The place after an animal, as an opaque text of 20 characters: one byte for the walk, eight for the id, six of a
 * checksum. The checksum is no secret; it tells a mistyped cursor from a real one.
 */
export function encodeCursor({ status, order }: Walk, lastId: bigint): string {
  const place = Buffer.alloc(9);
  place.writeUInt8(filters.indexOf(status) * listOrders.length + listOrders.indexOf(order), 0);
  place.writeBigInt64BE(lastId, 1);
  return Buffer.concat([place, checksum(place)]).toString('base64url');
}

/** The id that a cursor stands behind; `undefined` when it is none, or was made for another walk. */
export function decodeCursor(walk: Walk, cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== 15) return undefined;
  const lastId = bytes.readBigInt64BE(1);
  return encodeCursor(walk, lastId) === cursor ? lastId : undefined;
}

function checksum(place: Buffer): Buffer {
  return hash('sha256', place, 'buffer').subarray(0, 6);
}
