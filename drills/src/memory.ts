import { residentBytes } from '@petstore/processes/process-usage.js';

/** Samples the memory of a process in bytes, five times a second. Call the returned function for the samples. */
export function watchMemory(pid: number): () => readonly number[] {
  const samples = [residentBytes(pid)];
  const interval = setInterval(() => samples.push(residentBytes(pid)), 200);
  return () => {
    clearInterval(interval);
    return samples;
  };
}
