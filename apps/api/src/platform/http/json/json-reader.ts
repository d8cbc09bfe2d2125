const deepest = 100;

/** `depth` is the number of arrays and objects around one. */
export function judgeDepth(depth: number): void {
  if (depth >= deepest) throw new SyntaxError(`it nests deeper than ${deepest} levels`);
}

/** Reads a text that the engine's parser has found to be JSON, with every integer exact and no member twice. */
export class JsonReader {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.tokens = text.match(/[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g) ?? [];
  }

  value(depth: number): unknown {
    const token = this.next();
    if (token === '{') return this.object(depth);
    if (token === '[') return this.array(depth);
    if (token.startsWith('"')) return textOf(token);
    return /^[tfn]/.test(token) ? (JSON.parse(token) as unknown) : exactNumber(token);
  }

  private object(depth: number): Record<string, unknown> {
    judgeDepth(depth);
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
    judgeDepth(depth);
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
