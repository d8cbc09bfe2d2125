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
  const plain = mayHaveRounded.test(text) ? undefined : new PlainJson(parsed);
  // With as many colons as members, no member stands twice.
  return plain?.members === colonsIn(text) ? plain.value : new JsonReader(text).value(0);
}

/** A fraction, an exponent or more digits than a double is exact with; in a text it only looks like one. */
const mayHaveRounded = /\d[.eE]|\d{16}/;

/** The prototype of what has only its own members: V8 makes an object without any a hash table, slower to fill and read. */
const noMembers = Object.freeze(Object.create(null) as object);

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
    const object = Object.create(noMembers) as Record<string, unknown>;
    for (const [name, member] of Object.entries(parsed)) {
      this.members += 1;
      object[name] = this.convert(member, depth + 1);
    }
    return object;
  }
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
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
