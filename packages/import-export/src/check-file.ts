import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { NewPet } from '@petstore/contracts';
import type { ColumnChoice } from './csv-header.js';
import { readRows } from './rows.js';
import type { Source } from './source.js';

/** A file whose lines have been checked. */
export interface CheckedFile {
  source: Source;
  /** The columns of a CSV file, if its header does not name them. */
  columns?: ColumnChoice | undefined;
  /** The number of lines with a valid animal. */
  valid: number;
  /** The number of lines that cannot be imported. */
  invalid: number;
  /** SHA-256 in hex. Not by Web Crypto, which browsers offer only in secure contexts and which cannot hash a stream. */
  contentHash: string;
}

export interface InvalidLine {
  /** Counts from 1. */
  line: number;
  /** One or more sentences. */
  fault: string;
}

export interface ValidLine {
  /** Counts from 1. */
  line: number;
  pet: NewPet;
}

/** Checks every line of a file, and reports each one. `columns` replaces those that a CSV header names. */
export async function checkFile(
  source: Source,
  onInvalid: (line: InvalidLine) => void,
  columns?: ColumnChoice,
  onValid?: (line: ValidLine) => void,
): Promise<CheckedFile> {
  const hash = sha256.create();
  const hashedSource: Source = async function* hashed() {
    for await (const chunk of source()) {
      hash.update(chunk);
      yield chunk;
    }
  };
  let [valid, invalid] = [0, 0];
  for await (const row of readRows(hashedSource, columns)) {
    if ('pet' in row) {
      valid += 1;
      onValid?.(row);
    } else {
      invalid += 1;
      onInvalid(row);
    }
  }
  return { source, columns, valid, invalid, contentHash: bytesToHex(hash.digest()) };
}
