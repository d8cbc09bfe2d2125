import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The resource usage of a process. */
interface Usage {
  parent: number;
  /** The CPU time of all threads. */
  cpuSeconds: number;
  /** The CPU time of its ended children. Linux only. */
  endedChildrenCpuSeconds: number;
  residentBytes: number;
}

// The unit of times in /proc is 1/100 s on every Linux.
const ticksPerSecond = 100;

/** CPU seconds of a process and its children, including ended ones. */
export function cpuSecondsOfFamily(pid: number): number {
  const all = process.platform === 'linux' ? readAllOfLinux() : readByPs();
  const own = all.get(pid);
  let sum = (own?.cpuSeconds ?? 0) + (own?.endedChildrenCpuSeconds ?? 0);
  for (const usage of all.values()) if (usage.parent === pid) sum += usage.cpuSeconds;
  return sum;
}

/** The running child processes of a process, without their own children. */
export function childrenOf(pid: number): number[] {
  const all = process.platform === 'linux' ? readAllOfLinux() : readByPs();
  return [...all].filter(([, { parent }]) => parent === pid).map(([child]) => child);
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return usageOf(pid)?.residentBytes ?? 0;
}

function usageOf(pid: number): Usage | undefined {
  return process.platform === 'linux' ? readOfLinux(pid) : readByPs().get(pid);
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
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return {
      parent: field(4),
      cpuSeconds: (field(14) + field(15)) / ticksPerSecond,
      endedChildrenCpuSeconds: (field(16) + field(17)) / ticksPerSecond,
      residentBytes: Number(resident ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}

function readByPs(): Map<number, Usage> {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,rss=,time='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    lines.map((line): [number, Usage] => {
      const [pid, parent, kilobytes, time = ''] = line.trim().split(/\s+/);
      const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
      const usage = {
        parent: Number(parent),
        cpuSeconds: seconds,
        endedChildrenCpuSeconds: 0,
        residentBytes: Number(kilobytes) * 1024,
      };
      return [Number(pid), usage];
    }),
  );
}
