const endOfHead = Buffer.from('\r\n\r\n');

/** Parses an HTTP/1.1 response in place, without allocations. */
export class ResponseReader {
  status = 0;
  bodyStart = 0;
  bodyEnd = 0;
  /** `Content-Length: ` as this server writes it. */
  #lengthName: Buffer | undefined;

  /**
   * Returns whether the first `length` bytes contain a whole response, and sets its parts.
   * @throws Error for a response without Content-Length.
   */
  read(data: Buffer, length: number): boolean {
    const end = data.indexOf(endOfHead);
    // Bytes after `length` may remain from earlier responses.
    if (end < 0 || end + endOfHead.length > length) return false;
    this.status = digit(data, 9) * 100 + digit(data, 10) * 10 + digit(data, 11);
    this.bodyStart = end + endOfHead.length;
    this.bodyEnd = this.bodyStart + this.#contentLength(data, end);
    return this.bodyEnd <= length;
  }

  #contentLength(data: Buffer, end: number): number {
    this.#lengthName ??= nameOfLength(data.toString('latin1', 0, end));
    const at = data.indexOf(this.#lengthName);
    if (at < 0 || at > end) throw new Error(`A response has no Content-Length:\n${data.toString('latin1', 0, end)}`);
    return readDigits(data, at + this.#lengthName.length);
  }
}

/** Parses the digits that start at `start`. 0: there are none. */
export function readDigits(data: Buffer, start: number): number {
  let value = 0;
  for (let at = start; isDigit(data, at); at += 1) value = value * 10 + digit(data, at);
  return value;
}

/** The first position from `start` on that is not a digit. */
export function endOfDigits(data: Buffer, start: number): number {
  let at = start;
  while (isDigit(data, at)) at += 1;
  return at;
}

function isDigit(data: Buffer, at: number): boolean {
  const value = digit(data, at);
  return value >= 0 && value <= 9;
}

function digit(data: Buffer, at: number): number {
  return (data[at] ?? 0) - 48;
}

function nameOfLength(head: string): Buffer {
  const name = /\r\ncontent-length: */i.exec(head)?.[0];
  if (name === undefined) throw new Error(`A response has no Content-Length:\n${head}`);
  return Buffer.from(name, 'latin1');
}
