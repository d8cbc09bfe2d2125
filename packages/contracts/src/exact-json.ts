/** JSON with exact integers. `JSON.parse` rounds integers beyond 2^53, and `JSON.stringify` rejects `bigint`. */

/** The parser is recursive: without a limit, a small body could exhaust the stack. */
const maxDepth = 100;

/** More than an int64 has. The exact value of a longer number does not matter, and must not cost time or memory. */
const maxDigits = 40;

const whiteSpace = /[ \t\n\r]*/y;

/** A punctuator, a number, a literal or the end of the text. */
const token = /[{}[\]:,]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|$/y;

/**
 * Parses JSON (RFC 8259) without rounding. A number with an integral value of up to 40 digits becomes a `bigint`
 * (1.0 and 1e2 too), any other number a `number`.
 * @throws SyntaxError if the text is not valid JSON, repeats a member name in an object, or nests deeper than 100 levels.
 */
export function parseJson(text: string): unknown {
  return new JsonParser(text).parse();
}

class JsonParser {
  /** The token that comes next, empty at the end of the text, and its position. */
  private next = '';
  private position = 0;

  constructor(private readonly text: string) {}

  parse(): unknown {
    this.advance();
    const value = this.value(0);
    this.expect('');
    return value;
  }

  private value(depth: number): unknown {
    const { next } = this;
    if (next === '{') return this.object(depth + 1);
    if (next === '[') return this.array(depth + 1);
    if (next === '' || ']},:'.includes(next)) throw this.unexpected();
    if (next.startsWith('"')) return this.string();
    this.advance();
    return /^[tfn]/.test(next) ? (JSON.parse(next) as unknown) : exactNumber(next);
  }

  private object(depth: number): object {
    // Without a prototype, "__proto__" is a member like any other.
    const object = Object.create(null) as Record<string, unknown>;
    this.list(depth, '}', () => {
      if (!this.next.startsWith('"')) throw this.unexpected();
      const name = this.string();
      if (name in object) throw new SyntaxError(`duplicate member ${JSON.stringify(name.slice(0, 80))}`);
      this.expect(':');
      object[name] = this.value(depth);
    });
    return object;
  }

  private array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.list(depth, ']', () => array.push(this.value(depth)));
    return array;
  }

  private string(): string {
    const { next, position } = this;
    this.advance();
    try {
      return JSON.parse(next) as string;
    } catch {
      throw new SyntaxError(`invalid string at position ${position}, ${stringFault(next)}`);
    }
  }

  private list(depth: number, end: string, readItem: () => void): void {
    if (depth > maxDepth) throw new SyntaxError(`nested deeper than ${maxDepth} levels`);
    this.advance();
    if (this.next !== end) readItem();
    while (this.next === ',') {
      this.advance();
      readItem();
    }
    this.expect(end);
  }

  private expect(expected: string): void {
    if (this.next !== expected) throw this.unexpected();
    this.advance();
  }

  private advance(): void {
    whiteSpace.lastIndex = this.position + this.next.length;
    whiteSpace.test(this.text);
    this.position = whiteSpace.lastIndex;
    token.lastIndex = this.position;
    const next = this.text[this.position] === '"' ? this.quoted() : token.exec(this.text)?.[0];
    if (next === undefined) throw this.unexpected();
    this.next = next;
  }

  /** A loop, because a regular expression would exhaust its stack on a long string. */
  private quoted(): string {
    let end = this.position + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    return this.text.slice(this.position, end + 1);
  }

  private unexpected(): SyntaxError {
    const character = this.text.codePointAt(this.position);
    if (character === undefined) return new SyntaxError('unexpected end');
    return new SyntaxError(`unexpected character at position ${this.position}, ${nameOf(character)}`);
  }
}

/** A control character, or a backslash with the escape that follows it if that is valid. */
const special = /[\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?/g;

/** What is wrong with a string literal. */
function stringFault(literal: string): string {
  for (const { 0: found, index } of literal.matchAll(special)) {
    if (found < ' ') return `which contains ${nameOf(found.codePointAt(0) ?? 0)}: write it as an escape such as \\n`;
    const escaped = literal.codePointAt(index + 1);
    if (found === '\\' && escaped !== undefined) return `in which ${nameOf(escaped)} must not follow a backslash`;
  }
  return 'which has no end';
}

/** A character for a message: invisible ones by their code. */
function nameOf(codePoint: number): string {
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  if (codePoint === 0xfeff) return `a byte order mark (${code})`;
  if (codePoint < 0x20) return `the control character ${code}`;
  return codePoint > 0x20 && codePoint < 0x7f ? `\`${String.fromCodePoint(codePoint)}\`` : code;
}

/** The value of a JSON number: a `bigint` if it is integral, however it is written, and has up to 40 digits. */
function exactNumber(text: string): bigint | number {
  if (text.length <= maxDigits && /^-?\d+$/.test(text)) return BigInt(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const significant = withoutTrailingZeros(digits);
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0 || significant.length + zeros > maxDigits) return Number(text);
  return BigInt(sign + significant + '0'.repeat(zeros));
}

/** A loop, because a regular expression would take quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** `JSON.stringify` for values that may contain `bigint`: writes each as an integer with every digit. */
export function stringifyJson(value: unknown, gap = ''): string {
  return write(value, gap, gap && '\n') ?? 'null';
}

/** Returns `undefined` for what JSON omits. `line` is the line break before the next member, with its indent. */
function write(value: unknown, gap: string, line: string): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') return write(toJSON.call(value), gap, line);
  const inner = line + gap;
  const members = Array.isArray(value)
    ? value.map((item: unknown) => write(item, gap, inner) ?? 'null')
    : Object.entries(value).flatMap(([name, member]) => {
        const text = write(member, gap, inner);
        return text === undefined ? [] : `${JSON.stringify(name)}:${gap && ' '}${text}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return members.length === 0 ? `${open}${close}` : `${open}${inner}${members.join(`,${inner}`)}${line}${close}`;
}
