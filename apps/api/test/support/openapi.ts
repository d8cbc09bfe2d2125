/** A part of an OpenAPI document, of any shape. */
export type Node = { [name: string]: Node };

/** Yields each part of a document with its path. */
export function* nodesOf(node: unknown, path = '#'): Generator<[path: string, node: Node]> {
  if (typeof node !== 'object' || node === null) return;
  yield [path, node as Node];
  for (const [name, child] of Object.entries(node)) yield* nodesOf(child, `${path}/${name}`);
}
