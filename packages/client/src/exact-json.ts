/**
 * JSON in which no number is rounded. `JSON.parse` rounds integers beyond 2^53 and `JSON.stringify` refuses `bigint`;
 * source text access and `JSON.rawJSON`, which would help, are missing in Node 20 and in browsers that are still in use.
 */

const stringsAndNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * The value of a JSON text, with every number as the text that it was written as.
 * @throws SyntaxError when it is not one JSON text.
 */
export function parseWithNumbersAsTexts(text: string): unknown {
  // The grammar is judged first: the pattern is right only on what is JSON.
  JSON.parse(text);
  return JSON.parse(text.replaceAll(stringsAndNumbers, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/** A JSON object of members without depth; a `bigint` has every digit, and what is `undefined` is left out. */
export function stringifyFlat(members: object): string {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{${present.map(([name, value]) => `${JSON.stringify(name)}:${stringifyScalar(value)}`).join()}}`;
}

function stringifyScalar(value: unknown): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${String(value)} has lost digits before it came here: an integer beyond 2^53 is a bigint`);
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
