/** What a run measures. All except the first are options. */
export const subjects = ['standard', 'growth', 'processes', 'storage'] as const;
export type Subject = (typeof subjects)[number];

// Many short rounds: the speed of a shared machine changes over minutes, so compared measurements must be close in time.
const standard = { rounds: 15, seconds: 1, warmup: 0.5, memory: 60, animals: [200_000] };
export const presets = {
  standard,
  growth: { ...standard, rounds: 10, seconds: 0.6, warmup: 0.4, animals: [10_000, 1_000_000, 10_000_000] },
  processes: { ...standard, seconds: 2, warmup: 1 },
  storage: { ...standard, animals: [100_000] },
};
const quick = { rounds: 2, seconds: 1.5, warmup: 0.5, memory: 3, animals: [20_000] };
export const quickPresets = {
  standard: quick,
  growth: { ...quick, seconds: 0.5, warmup: 0.2, animals: [2_000, 20_000, 100_000] },
  processes: quick,
  storage: quick,
};
