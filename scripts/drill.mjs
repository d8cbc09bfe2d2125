import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { postmasterPid, stopPostmaster } from '@petstore/test-kit/postmaster.js';
import { StepFailed } from './step.mjs';
import { fromRoot } from './workspace.mjs';

const options = {
  quick: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};
const stopMs = 20_000;

/** Runs drills with vitest: those that are named, or all. */
export async function drill(args) {
  const names = readdirSync(fromRoot('drills/src')).flatMap((file) => /^(.+)\.drill\.ts$/.exec(file)?.[1] ?? []);
  const usage = `npm run drill -- [drills] [--quick]\n\nThe drills are ${names.join(', ')}.`;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return console.log(usage);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new StepFailed(`"${unknown}" is not a drill.\n${usage}`);
  const env = { ...process.env, ...(values.quick && { DRILL_QUICK: '1' }) };
  const files = positionals.map((name) => `src/${name}.drill.ts`);
  process.exitCode = await run(files, env);
}

/** Everything that the drills start and write is gone afterwards, also after Ctrl-C, when vitest ends them in the middle. */
async function run(files, env) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-drills-'));
  // PostgreSQL runs as another user, if root runs the drills.
  chmodSync(folder, 0o755);
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'drill.config.ts', ...files],
    // In its own process group, all of which gets a signal once.
    { cwd: fromRoot('drills'), env: { ...env, TMPDIR: folder }, stdio: 'inherit', detached: true },
  );
  const group = -Number(child.pid);
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => kill(group, signal));
  const [code, signal] = await once(child, 'exit');
  for (const begin = Date.now(); kill(group, 0); await sleep(50)) {
    if (Date.now() - begin > stopMs) kill(group, 'SIGKILL');
  }
  await stopPostgres(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return code ?? 128 + constants.signals[signal];
}

/** PostgreSQL has its own process group, which outlives a killed service. */
async function stopPostgres(folder) {
  for (const name of readdirSync(folder)) {
    const pid = await postmasterPid(join(folder, name, 'postgres'));
    if (pid !== undefined) await stopPostmaster(pid, 'SIGQUIT');
  }
}

/** Returns whether the process, or the group of a negative id, exists. */
function kill(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
