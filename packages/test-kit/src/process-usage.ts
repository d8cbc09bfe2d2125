import { readdirSync, readFileSync } from 'node:fs';

/** The running child processes of a process, without their own children. */
export function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((child) => Number(/^PPid:\s+(\d+)/m.exec(readStatus(child))?.[1]) === pid);
}

/**
 * Samples the resident memory of a process in bytes, five times a second. Call the returned function to stop, and for the
 * samples. Only Linux provides it.
 */
export function watchMemory(pid: number): () => readonly number[] {
  const sample = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readStatus(pid))?.[1] ?? 0) * 1024;
  const samples = [sample()];
  const interval = setInterval(() => samples.push(sample()), 200);
  return () => {
    clearInterval(interval);
    return samples;
  };
}

/**
 * Measures the processor time of processes, which are listed at both ends. Call the returned function for the seconds since then.
 * Processes and threads that have ended are not counted. Only Linux provides it.
 */
export function watchProcessorTime(listPids: () => readonly number[]): () => number {
  const before = new Map(listPids().map((pid) => [pid, processorNs(pid)]));
  return () => {
    const used = listPids().map((pid) => Math.max(0, processorNs(pid) - (before.get(pid) ?? 0)));
    return used.reduce((sum, ns) => sum + ns, 0) / 1e9;
  };
}

/** The scheduler counts nanoseconds. `/proc/<pid>/stat` counts ticks of 10 ms, which misses short turns of a thread. */
function processorNs(pid: number): number {
  const threads = unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const times = threads.map((thread) =>
    unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1')),
  );
  return times.reduce((sum, time) => sum + (Number.parseInt(time ?? '', 10) || 0), 0);
}

/** Returns an empty text if the process has ended. */
function readStatus(pid: number): string {
  return unlessEnded(() => readFileSync(`/proc/${pid}/status`, 'latin1')) ?? '';
}

/** Reads files of a process that may have ended. */
function unlessEnded<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
