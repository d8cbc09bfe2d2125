import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StepFailed } from './step.mjs';
import { fromRoot } from './workspace.mjs';

const options = {
  quick: { type: 'boolean', default: false },
  animals: { type: 'string' },
  only: { type: 'string' },
  help: { type: 'boolean', default: false },
};

/** Runs drills with vitest: those that are named, or all. */
export function drill(args) {
  const names = readdirSync(fromRoot('drills/src')).flatMap((file) => /^(.+)\.drill\.ts$/.exec(file)?.[1] ?? []);
  const usage = `npm run drill -- [drills] [--quick] [--animals <n>]\n\nThe drills are ${names.join(', ')}.`;
  const { values, positionals } = readArguments(args, usage);
  if (values.help) return console.log(usage);
  const chosen = [...positionals, ...(values.only?.split(',') ?? [])];
  const unknown = chosen.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new StepFailed(`"${unknown}" is not a drill.\n${usage}`);
  const env = { ...process.env, ...(values.quick && { DRILL_QUICK: '1' }) };
  if (values.animals !== undefined) env.DRILL_ANIMALS = readCount(values.animals);
  const files = chosen.map((name) => `src/${name}.drill.ts`);
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'drill.config.ts', ...files];
  process.exitCode =
    spawnSync(process.execPath, command, { cwd: fromRoot('drills'), env, stdio: 'inherit' }).status ?? 1;
}

function readArguments(args, usage) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new StepFailed(`${error.message}\n${usage}`, { cause: error });
  }
}

function readCount(text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw new StepFailed('--animals must be a whole number from 1 to 999999999.');
}
