/**
 * JSON in which every integer is exact. `JSON.parse` rounds integers beyond 2^53; here each JSON number that is
 * integral (1.0 and 1e2 too) and has up to 40 digits is a `bigint`, and every other one a `number`.
 */

const deepest = 100;

/**
 * @throws SyntaxError when the text is not one JSON text (RFC 8259), repeats a member name in an object,
 * or nests deeper than 100 levels.
 */
export function parseJson(text: string): unknown {
  // The engine's parser judges the grammar, so that what follows can take it for granted.
  JSON.parse(text);
  return new Reader(text).value(0);
}

class Reader {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.tokens = text.match(/[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g) ?? [];
  }

  value(depth: number): unknown {
    const token = this.next();
    if (depth > deepest) throw new SyntaxError(`it nests deeper than ${deepest} levels`);
    if (token === '{') return this.object(depth);
    if (token === '[') return this.array(depth);
    if (token.startsWith('"')) return textOf(token);
    return /^[tfn]/.test(token) ? (JSON.parse(token) as unknown) : exactNumber(token);
  }

  private object(depth: number): Record<string, unknown> {
    // Without a prototype, so that a member named "__proto__" is one like any other.
    const object = Object.create(null) as Record<string, unknown>;
    while (this.tokens[this.at] !== '}') {
      const name = textOf(this.next());
      if (name in object) throw new SyntaxError(`it has the member ${JSON.stringify(name.slice(0, 80))} twice`);
      this.next();
      object[name] = this.value(depth + 1);
      this.skipComma();
    }
    this.next();
    return object;
  }

  private array(depth: number): unknown[] {
    const array = [];
    while (this.tokens[this.at] !== ']') {
      array.push(this.value(depth + 1));
      this.skipComma();
    }
    this.next();
    return array;
  }

  private skipComma(): void {
    if (this.tokens[this.at] === ',') this.at += 1;
  }

  private next(): string {
    return this.tokens[this.at++] ?? '';
  }
}

function textOf(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

/** Digits an int64 can have, and a few more: beyond, the exact value cannot matter and must not cost memory. */
const digitsThatMatter = 40;

function exactNumber(text: string): bigint | number {
  if (text.length <= digitsThatMatter && /^-?\d+$/.test(text)) return BigInt(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const significant = withoutEndingZeros(digits);
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0 || significant.length + zeros > digitsThatMatter) return Number(text);
  return BigInt(sign + significant + '0'.repeat(zeros));
}

/** By hand: a regular expression tries each zero as the start of the ending, which a client could make a long time of. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** `JSON.stringify` for plain data that may hold `bigint`: written as integers with every digit. */
export function stringifyJson(value: unknown, gap = '', line = gap && '\n'): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = line + gap;
  const write = (member: unknown) => stringifyJson(member, gap, inner);
  const members = Array.isArray(value)
    ? value.map((item: unknown) => write(item ?? null))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}:${gap && ' '}${write(member)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return members.length === 0 ? `${open}${close}` : `${open}${inner}${members.join(`,${inner}`)}${line}${close}`;
}
