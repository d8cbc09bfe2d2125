import { type AnswerReader, endOfDigits, readDigits } from './answer-reader.js';
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

/** Compares every answer to what it must be, and adds up the animals that were added. */
export class AnswerCheck {
  #count = 0;
  #idSum = 0;
  /** Some of the last, to be looked up in the database. */
  readonly #last: Added[] = [];

  /** @throws Error that shows both, when the answer is not what it must be. */
  check(expected: Prepared, answer: AnswerReader, data: Buffer): void {
    const { status, assignsId } = expected;
    if (answer.status === status && assignsId && this.#isAdded(expected, answer, data)) return;
    if (answer.status === status && !assignsId && isBody(expected, answer.bodyStart, answer, data)) return;
    const start = assignsId ? '{"id":…' : '';
    throw new Error(
      `a wrong answer to ${firstLine(expected.request)}\n` +
        `  expected ${status} ${start}${shorten(expected.body)}\n` +
        `  got      ${answer.status} ${shorten(data.subarray(answer.bodyStart, answer.bodyEnd))}`,
    );
  }

  get added(): LoadResult['added'] {
    return { count: this.#count, idSum: this.#idSum, last: this.#last };
  }

  #isAdded(expected: Prepared, answer: AnswerReader, data: Buffer): boolean {
    const digits = answer.bodyStart + beforeId.length;
    if (beforeId.compare(data, answer.bodyStart, digits) !== 0) return false;
    const id = readDigits(data, digits);
    if (id === 0 || !isBody(expected, endOfDigits(data, digits), answer, data)) return false;
    if (this.#count % 1_000 < kept) this.#last[this.#count % 1_000] = { id, body: expected.body.toString() };
    this.#count += 1;
    this.#idSum += id;
    return true;
  }
}

export function prepare({ request, status, body, assignsId = false }: Exchange): Prepared {
  return { request: Buffer.from(request), status, body: Buffer.from(body), assignsId };
}

function isBody({ body }: Prepared, start: number, { bodyEnd }: AnswerReader, data: Buffer): boolean {
  return bodyEnd - start === body.length && body.compare(data, start, bodyEnd) === 0;
}

function firstLine(request: Buffer): string {
  return request.toString().split('\r\n', 1)[0] ?? '';
}

function shorten(body: Buffer): string {
  const text = body.toString();
  return text.length > 300 ? `${text.slice(0, 300)}… (${body.length} bytes)` : text;
}
