import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The resource usage of a process. */
interface Usage {
  parent: number;
  /** The CPU time of all threads. */
  cpuSeconds: number;
  /** The CPU time of its ended children. Linux only. */
  endedChildrenCpuSeconds: number;
}

// The unit of times in /proc is 1/100 s on every Linux.
const ticksPerSecond = 100;

/** CPU seconds of each process and its children, including ended ones. */
export function cpuSecondsOfFamilies(...pids: number[]): number[] {
  const all = readAll();
  return pids.map((pid) => {
    const own = all.get(pid);
    let sum = (own?.cpuSeconds ?? 0) + (own?.endedChildrenCpuSeconds ?? 0);
    for (const usage of all.values()) if (usage.parent === pid) sum += usage.cpuSeconds;
    return sum;
  });
}

/** The running child processes of a process, without their own children. */
export function childrenOf(pid: number): number[] {
  return [...readAll()].filter(([, { parent }]) => parent === pid).map(([child]) => child);
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return (process.platform === 'linux' ? residentKilobytesOfLinux(pid) : residentKilobytesByPs(pid)) * 1024;
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

function readAll(): Map<number, Usage> {
  return process.platform === 'linux' ? readAllOfLinux() : readByPs();
}

function readAllOfLinux(): Map<number, Usage> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(
    pids.flatMap((pid): [number, Usage][] => {
      const usage = readOfLinux(pid);
      return usage ? [[pid, usage]] : [];
    }),
  );
}

function readOfLinux(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain anything; the third field follows it (man 5 proc).
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const field = (number: number) => fields[number - 3] ?? 0;
    return {
      parent: field(4),
      cpuSeconds: (field(14) + field(15)) / ticksPerSecond,
      endedChildrenCpuSeconds: (field(16) + field(17)) / ticksPerSecond,
    };
  } catch {
    return undefined;
  }
}

function residentKilobytesOfLinux(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function readByPs(): Map<number, Usage> {
  return new Map(
    ps('pid=,ppid=,time=').map(([pid, parent, time = '']): [number, Usage] => {
      const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
      return [Number(pid), { parent: Number(parent), cpuSeconds: seconds, endedChildrenCpuSeconds: 0 }];
    }),
  );
}

function residentKilobytesByPs(pid: number): number {
  return Number(ps('pid=,rss=').find(([id]) => Number(id) === pid)?.[1] ?? 0);
}

/** The columns of every process. */
function ps(columns: string): string[][] {
  const lines = execFileSync('ps', ['-axo', columns], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/));
}
