import { loadTarget } from '../measure/load-target.js';
import { MemoryWatch } from '../measure/memory-watch.js';
import { median } from '../measure/statistics.js';
import { loadOf, type Setup, targetOf } from './setup.js';

/** Resident memory of the service's process, in bytes. */
export interface MemoryReport {
  readonly seconds: number;
  readonly start: number;
  /** Medians of the middle tenth and of the last tenth of the time. */
  readonly middle: number;
  readonly end: number;
  readonly peak: number;
}

/** Loads the service with all scenarios at once and measures its memory. */
export async function watchMemory(setup: Setup): Promise<MemoryReport> {
  const { memorySeconds } = setup.options;
  setup.log(`Memory of the service: ${memorySeconds} s of load.`);
  const service = targetOf(setup, 'service');
  const concurrent = setup.scenarios.filter(({ connections }) => connections > 1);
  const parts = await Promise.all(concurrent.map(({ exchanges }) => exchanges(service)));
  const longest = Math.max(...parts.map((part) => part.length));
  // Alternates between the scenarios.
  const mixed = Array.from({ length: longest }, (_, index) => parts.map((part) => part[index % part.length])).flat();
  const load = {
    ...loadOf(
      setup,
      { connections: 64 },
      mixed.filter((exchange) => exchange !== undefined),
    ),
    warmupMs: 0,
  };
  const watch = new MemoryWatch(service.server.pid);
  try {
    await loadTarget(service, { ...load, durationMs: memorySeconds * 1_000 }, setup.postgresPid);
    return toReport(watch.stop(), memorySeconds);
  } finally {
    watch.stop();
  }
}

function toReport(samples: readonly number[], seconds: number): MemoryReport {
  const tenth = Math.ceil(samples.length / 10);
  const middle = Math.floor((samples.length - tenth) / 2);
  return {
    seconds,
    start: samples[0] ?? 0,
    middle: median(samples.slice(middle, middle + tenth)),
    end: median(samples.slice(-tenth)),
    peak: Math.max(...samples),
  };
}
