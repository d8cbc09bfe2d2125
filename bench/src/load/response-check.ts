import { type ResponseReader, endOfDigits, readDigits } from './response-reader.js';
import type { Added, Exchange, LoadResult } from './load-job.js';

/** An exchange as bytes. */
export interface Prepared {
  readonly request: Buffer;
  readonly status: number;
  readonly body: Buffer;
  readonly assignsId: boolean;
}

const beforeId = Buffer.from('{"id":');
const kept = 64;

/** Compares every response with the expected one, and sums up the created animals. */
export class ResponseCheck {
  #count = 0;
  #idSum = 0;
  /** The most recent ones, to be compared with the database. */
  readonly #last: Added[] = [];

  /** @throws Error with both responses if they differ. */
  check(expected: Prepared, response: ResponseReader, data: Buffer): void {
    const { status, assignsId } = expected;
    if (response.status === status && assignsId && this.#isAdded(expected, response, data)) return;
    if (response.status === status && !assignsId && isBody(expected, response.bodyStart, response, data)) return;
    const start = assignsId ? '{"id":…' : '';
    throw new Error(
      `a wrong response to ${firstLine(expected.request)}\n` +
        `  expected ${status} ${start}${shorten(expected.body)}\n` +
        `  got      ${response.status} ${shorten(data.subarray(response.bodyStart, response.bodyEnd))}`,
    );
  }

  get added(): LoadResult['added'] {
    return { count: this.#count, idSum: this.#idSum, last: this.#last };
  }

  #isAdded(expected: Prepared, response: ResponseReader, data: Buffer): boolean {
    const digits = response.bodyStart + beforeId.length;
    if (beforeId.compare(data, response.bodyStart, digits) !== 0) return false;
    const id = readDigits(data, digits);
    if (id === 0 || !isBody(expected, endOfDigits(data, digits), response, data)) return false;
    if (this.#count % 1_000 < kept) this.#last[this.#count % 1_000] = { id, body: expected.body.toString() };
    this.#count += 1;
    this.#idSum += id;
    return true;
  }
}

export function prepare({ request, status, body, assignsId = false }: Exchange): Prepared {
  return { request: Buffer.from(request), status, body: Buffer.from(body), assignsId };
}

function isBody({ body }: Prepared, start: number, { bodyEnd }: ResponseReader, data: Buffer): boolean {
  return bodyEnd - start === body.length && body.compare(data, start, bodyEnd) === 0;
}

function firstLine(request: Buffer): string {
  return request.toString().split('\r\n', 1)[0] ?? '';
}

function shorten(body: Buffer): string {
  const text = body.toString();
  return text.length > 300 ? `${text.slice(0, 300)}… (${body.length} bytes)` : text;
}
