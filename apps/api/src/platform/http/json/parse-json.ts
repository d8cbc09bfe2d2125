import { exactNumber } from './exact-number.js';

/** The parser is recursive: without a limit, a small body could exhaust the stack. */
const maxDepth = 100;

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
      throw new SyntaxError(`invalid string at position ${position}`);
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
    const isAtEnd = this.position === this.text.length;
    return new SyntaxError(isAtEnd ? 'unexpected end' : `unexpected character at position ${this.position}`);
  }
}
