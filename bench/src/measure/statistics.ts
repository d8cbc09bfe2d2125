/** 0 for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** The value that this share of a sorted list does not exceed. 0 for an empty list. */
export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}
