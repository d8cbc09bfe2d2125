import { readdirSync, readFileSync } from 'node:fs';

/** The resource usage of a process. Only Linux provides it. */
interface Usage {
  pid: number;
  parent: number;
  /** The CPU time of all threads and of its ended children. */
  cpuSeconds: number;
}

// The unit of times in /proc is 1/100 s on every Linux.
const ticksPerSecond = 100;

/** CPU seconds of each process and its children, including ended ones. */
export function cpuSecondsOfFamilies(...pids: number[]): number[] {
  const all = readAll();
  const sumOf = (family: Usage[]) => family.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  return pids.map((family) => sumOf(all.filter(({ pid, parent }) => pid === family || parent === family)));
}

/** The running child processes of a process, without their own children. */
export function childrenOf(pid: number): number[] {
  return readAll()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const status = readProc(pid, 'status');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Samples the memory of a process in bytes, five times a second. Call the returned function to stop, and for the samples. */
export function watchMemory(pid: number): () => readonly number[] {
  const samples = [residentBytes(pid)];
  const interval = setInterval(() => samples.push(residentBytes(pid)), 200);
  return () => {
    clearInterval(interval);
    return samples;
  };
}

function readAll(): Usage[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.map(readUsage).filter((usage) => usage !== undefined);
}

function readUsage(pid: number): Usage | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === '') return undefined;
  // The name in parentheses may contain anything; the third field follows it (man 5 proc).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  const ticks = field(14) + field(15) + field(16) + field(17);
  return { pid, parent: field(4), cpuSeconds: ticks / ticksPerSecond };
}

/** Returns an empty text if the process has ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
