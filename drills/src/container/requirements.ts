import { spawnSync } from 'node:child_process';
import { DrillSkipped } from '../drill.js';

/** The packages of programs whose package has another name. */
const debianPackages: Record<string, string> = { bwrap: 'bubblewrap', psql: 'postgresql-client' };

/** @throws DrillSkipped unless root runs the drill and these programs are installed. */
export function requireRootAnd(programs: readonly string[]): void {
  if (process.getuid?.() !== 0) throw new DrillSkipped('only root can run it');
  requirePrograms(programs);
}

/** @throws DrillSkipped unless these programs are installed. */
export function requirePrograms(programs: readonly string[]): void {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length === 0) return;
  const packages = missing.map((program) => debianPackages[program] ?? program);
  throw new DrillSkipped(`${missing.join(', ')} not installed; on Debian: apt-get install ${packages.join(' ')}`);
}
