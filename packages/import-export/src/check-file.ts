import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { detectEncoding } from './detect-encoding.js';
import { type ReadSettings, readRows, type Row } from './rows.js';
import type { Source } from './source.js';

/** A file whose lines have been checked. */
export interface CheckedFile {
  source: Source;
  /** How it was read, with the encoding that was detected. */
  settings: ReadSettings;
  /** The number of lines with a valid animal. */
  valid: number;
  /** The number of lines that cannot be imported. */
  invalid: number;
  /** SHA-256 in hex. Not by Web Crypto, which browsers offer only in secure contexts and which cannot hash a stream. */
  contentHash: string;
}

/** A line with the reasons why it has no valid animal. */
export type InvalidLine = Extract<Row, { faults: unknown }>;
/** A line with its animal. */
export type ValidLine = Extract<Row, { pet: unknown }>;

/** SHA-256 of a file, in hex. */
export async function hashOf(source: Source): Promise<string> {
  const hash = sha256.create();
  for await (const chunk of source()) hash.update(chunk);
  return bytesToHex(hash.digest());
}

interface CheckOptions {
  /** Receives each line with an animal. */
  onValid?: (line: ValidLine) => void;
  /** Stops the check. */
  signal?: AbortSignal;
}

/**
 * Checks every line of a file, and reports each invalid one. Never throws because of the content of the file.
 * @throws the reason of the signal
 */
export async function checkFile(
  source: Source,
  onInvalid: (line: InvalidLine) => void,
  chosen: ReadSettings = {},
  { onValid, signal }: CheckOptions = {},
): Promise<CheckedFile> {
  const settings = { ...chosen, encoding: chosen.encoding ?? (await detectEncoding(source)).encoding };
  const hash = sha256.create();
  const hashedSource: Source = async function* hashed() {
    for await (const chunk of source()) {
      signal?.throwIfAborted();
      hash.update(chunk);
      yield chunk;
    }
  };
  let [valid, invalid] = [0, 0];
  for await (const row of readRows(hashedSource, settings)) {
    if ('pet' in row) {
      valid += 1;
      onValid?.(row);
    } else {
      invalid += 1;
      onInvalid(row);
    }
  }
  return { source, settings, valid, invalid, contentHash: bytesToHex(hash.digest()) };
}
