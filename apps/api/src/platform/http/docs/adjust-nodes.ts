import { int64 } from '@petstore/contracts';

type Node = Readonly<Record<string, unknown>>;

/** Adjusts what Nest generates, in every object of the document. */
export function adjustNodes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(adjustNodes);
  if (!isNode(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, adjustNodes(value)]));
  return withInt64Bounds(withParameterExample(withoutAllOf(copy)));
}

/** Nest wraps a reference to an enum in `allOf`. */
function withoutAllOf({ allOf, ...others }: Node): Node {
  if (!Array.isArray(allOf)) return others;
  return allOf.length === 1 ? { ...(allOf[0] as Node), ...others } : { allOf, ...others };
}

/** Nest moves the example of a parameter into its schema. */
function withParameterExample(node: Node): Node {
  const { in: place, schema } = node;
  if (place === undefined || !isNode(schema) || schema['example'] === undefined) return node;
  const { example, ...rest } = schema;
  return { ...node, schema: rest, example };
}

/** The bounds are of type `bigint`, because a `number` would round them. */
function withInt64Bounds(node: Node): Node {
  return node['format'] === 'int64' ? { minimum: int64.min, maximum: int64.max, ...node } : node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
