import { crc32 } from 'node:zlib';
import { type ListOrder, type PetFilter, stringifyJson } from '@petstore/contracts';

/** The filter and order of a walk through the list. A cursor is valid only for its walk. */
export interface Walk {
  filter: PetFilter;
  order: ListOrder;
}

const idBytes = 8;

/**
 * Encodes the first id that the next page may contain, as 16 opaque characters (base64url, RFC 4648, section 5). They hold
 * eight bytes for the id, and four for a CRC-32 of the id and the walk, which detects mistyped and foreign cursors.
 */
export function encodeCursor({ filter, order }: Walk, firstId: bigint): string {
  const bytes = Buffer.alloc(idBytes + 4);
  bytes.writeBigInt64BE(firstId);
  bytes.writeUInt32BE(crc32(stringifyJson([firstId, order, filter])), idBytes);
  return bytes.toString('base64url');
}

/** Returns the id, or `undefined` if the cursor is malformed or belongs to another walk. */
export function decodeCursor(walk: Walk, cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== idBytes + 4) return undefined;
  const firstId = bytes.readBigInt64BE();
  return encodeCursor(walk, firstId) === cursor ? firstId : undefined;
}
