import { readdirSync, readFileSync } from 'node:fs';

/** The running child processes of a process, without their own children. */
export function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((child) => Number(/^PPid:\s+(\d+)/m.exec(readStatus(child))?.[1]) === pid);
}

/** Resident memory of a process in bytes. Only Linux provides it. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readStatus(pid))?.[1] ?? 0) * 1024;
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

/** Returns an empty text if the process has ended. */
function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return '';
  }
}
