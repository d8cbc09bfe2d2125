/**
 * JSON in which every integer is exact. `JSON.parse` rounds integers beyond 2^53; here each JSON number that is
 * integral (1.0 and 1e2 too) and has up to 40 digits is a `bigint`, and every other one a `number`.
 */

import { judgeDepth, JsonReader } from './json-reader.js';

/**
 * @throws SyntaxError when the text is not one JSON text (RFC 8259), repeats a member name in an object,
 * or nests deeper than 100 levels.
 */
export function parseJson(text: string): unknown {
  // The engine's parser judges the grammar, so that what follows can take it for granted.
  const parsed: unknown = JSON.parse(text);
  const colons = colonsOutsideStrings(text);
  const plain = colons === undefined ? undefined : new PlainJson(parsed);
  // With as many colons as members, no member stands twice.
  return plain && plain.members === colons ? plain.value : new JsonReader(text).value(0);
}

/** What the engine has read without loss, which is nearly every body: only its numbers have to become `bigint`. */
class PlainJson {
  readonly value: unknown;
  members = 0;

  constructor(parsed: unknown) {
    this.value = this.convert(parsed, 0);
  }

  private convert(parsed: unknown, depth: number): unknown {
    if (typeof parsed === 'number') return BigInt(parsed);
    if (typeof parsed !== 'object' || parsed === null) return parsed;
    judgeDepth(depth);
    if (Array.isArray(parsed)) return parsed.map((item) => this.convert(item, depth + 1));
    const object = parsed as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      this.members += 1;
      const member = object[name];
      if (typeof member === 'number' || typeof member === 'object') object[name] = this.convert(member, depth + 1);
    }
    return object;
  }
}

/** Codes of characters. */
const code = { quote: 34, point: 46, zero: 48, nine: 57, colon: 58, capitalE: 69, backslash: 92, e: 101 } as const;

/**
 * `undefined` where a number has a fraction, an exponent or more digits than a double is exact with: the engine may have
 * rounded it. In one go by hand, as a body that comes alone finds nothing warm: with regular expressions, and objects
 * made anew, such a body took twice as long.
 */
function colonsOutsideStrings(text: string): number | undefined {
  let colons = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.codePointAt(at) ?? 0;
    if (digits > 0 && (char === code.point || char === code.e || char === code.capitalE)) return undefined;
    digits = char >= code.zero && char <= code.nine ? digits + 1 : 0;
    if (digits > 15) return undefined;
    if (char === code.colon) colons += 1;
    if (char === code.quote) at = endOfString(text, at);
  }
  return colons;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.codePointAt(at) !== code.quote) at += text.codePointAt(at) === code.backslash ? 2 : 1;
  return at;
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
