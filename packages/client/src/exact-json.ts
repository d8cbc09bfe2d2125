/**
 * JSON with exact integers. `JSON.parse` rounds integers beyond 2^53, and `JSON.stringify` rejects `bigint`. Node 20 and
 * browsers in use lack source text access and `JSON.rawJSON`.
 */

const stringsAndNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON. Every number becomes a string with the digits of the text.
 * @throws SyntaxError
 */
export function parseWithNumbersAsText(text: string): unknown {
  // Validates the JSON first: the pattern works only on valid JSON.
  JSON.parse(text);
  return JSON.parse(text.replaceAll(stringsAndNumbers, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/** Serializes an object without nested values. `bigint` keeps all digits, `undefined` is omitted. */
export function stringifyFlat(members: object): string {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{${present.map(([name, value]) => `${JSON.stringify(name)}:${stringifyScalar(value)}`).join()}}`;
}

function stringifyScalar(value: unknown): string {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${String(value)} is rounded. Use a bigint for integers beyond 2^53.`);
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
