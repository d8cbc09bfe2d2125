import { newIdempotencyKey } from '@petstore/client';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { RowSettings } from '@petstore/import-export/check-rows.js';
import { isCurrent } from '@petstore/import-export/send-animals.js';
import type { ReadOptions } from '@petstore/table/table.js';

/**
 * All that is stored of an import: written before its first request, removed at its end. An interrupted import sends every row
 * again, with the same idempotency keys, and the service answers those that it has. Plain data.
 */
export interface ImportRecord extends ImportOrigin {
  /** Random. Row n has the idempotency key `<importId>-n`. */
  importId: string;
  /** How the bytes were read. */
  reading: Pick<ReadOptions, 'encoding' | 'sheet' | 'includeHidden' | 'isPasted'>;
  settings: RowSettings;
  /** The rows that are left out, because the store had their animals: the first and the last of each range. */
  leftOut: readonly RowRange[];
  /** When the import began, in milliseconds since 1970. */
  startedAt: number;
}

/** What an import belongs to. Idempotency keys are valid for one API key of one service. */
export interface ImportOrigin {
  /** SHA-256 of the file, in hex. */
  contentHash: string;
  serviceUrl: string;
  apiKeyId: string;
}

/** The first and the last row. */
export type RowRange = readonly [first: number, last: number];

export function newImportRecord(plan: Omit<ImportRecord, 'importId' | 'startedAt'>): ImportRecord {
  return { ...plan, importId: newIdempotencyKey(), startedAt: Date.now() };
}

/** Whether an interrupted import can continue. If not, its file must be compared with the store again. */
export function canContinue(record: ImportRecord, origin: ImportOrigin): boolean {
  const isSame = (['contentHash', 'serviceUrl', 'apiKeyId'] as const).every((name) => record[name] === origin[name]);
  return isSame && isCurrent(record.startedAt);
}

/** SHA-256, in hex. Not by Web Crypto, which browsers offer only in secure contexts. */
export function hashOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** The ranges of rows in ascending order. */
export function toRanges(rows: readonly number[]): RowRange[] {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === row) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
}

/** The rows of ranges. */
export function rowsOf(ranges: readonly RowRange[]): Set<number> {
  return new Set(
    ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
  );
}
