import { spawnSync } from 'node:child_process';
import type { DrillContext } from '../drill.js';

/** The packages of programs whose package has another name. */
const debianPackages: Record<string, string> = { bwrap: 'bubblewrap', psql: 'postgresql-client' };

/** Skips the drill unless root runs the drill and these programs are installed. */
export function requireRootAnd(skip: DrillContext['skip'], programs: readonly string[]): void {
  if (process.getuid?.() !== 0) skip('only root can run it');
  requirePrograms(skip, programs);
}

/** Skips the drill unless these programs are installed. */
export function requirePrograms(skip: DrillContext['skip'], programs: readonly string[]): void {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length === 0) return;
  const packages = missing.map((program) => debianPackages[program] ?? program);
  skip(`${missing.join(', ')} not installed; on Debian: apt-get install ${packages.join(' ')}`);
}
