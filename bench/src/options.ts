import { parseArgs } from 'node:util';
import { ExplainedError } from '@petstore/contracts';
import { presets, quickPresets, type Subject, subjects } from './presets.js';

const groups = ['list', 'get', 'create'] as const;
export type Group = (typeof groups)[number];

export interface Options {
  json: boolean;
  subject: Subject;
  only: readonly Group[];
  /** How often each server is measured in each scenario. */
  rounds: number;
  seconds: number;
  warmupSeconds: number;
  /** How long the memory of the service is measured. 0: not at all. */
  memorySeconds: number;
  /** The size of the table, at least 2,000. With --growth, the size of each table. */
  animals: readonly number[];
  /** A directory for CPU profiles. */
  profiles: string | undefined;
}

export const usage = `npm run bench -- [options]

  --growth          measure the service on tables of 10,000, 1,000,000 and 10,000,000 animals
  --processes       measure the service with 1, 2 and 4 processes (WEB_CONCURRENCY)
  --storage         measure the disk space and the WAL of animals
  --quick           a short run with fewer animals; its results are rough
  --only <groups>   one or more of ${groups.join(',')}; skips the memory measurement
  --json            print one JSON object
  --rounds <n>, --seconds <n>, --warmup <n>, --memory <n>, --animals <n,…>
                    override the defaults
  --profile <dir>   write a CPU profile of each server to this directory`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const definitions = {
  json: flag,
  growth: flag,
  processes: flag,
  storage: flag,
  quick: flag,
  help: flag,
  only: text,
  rounds: text,
  seconds: text,
  warmup: text,
  memory: text,
  animals: text,
  profile: text,
} as const;

const minAnimals = 2_000;

/**
 * Returns `undefined` if --help is given.
 * @throws ExplainedError
 */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const subject = subjects.find((one) => one !== 'standard' && values[one]) ?? 'standard';
  const preset = (values.quick ? quickPresets : presets)[subject];
  const number = (name: 'rounds' | 'seconds' | 'warmup') => positive(name, values[name]) ?? preset[name];
  return {
    json: values.json,
    subject,
    only: values.only === undefined ? groups : values.only.split(',').map(toGroup),
    rounds: Math.ceil(number('rounds')),
    seconds: number('seconds'),
    warmupSeconds: number('warmup'),
    memorySeconds: positive('memory', values.memory) ?? (values.only === undefined ? preset.memory : 0),
    animals: values.animals?.split(',').map(toAnimals) ?? preset.animals,
    profiles: values.profile === '' ? rejectEmpty('profile') : values.profile,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: definitions });
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${usage}`);
  }
}

function toGroup(name: string): Group {
  const group = groups.find((one) => one === name);
  if (group) return group;
  throw new ExplainedError(`--only must be a comma-separated list of ${groups.join(', ')}.`);
}

/** Smaller tables do not have a full page of each kind. */
function toAnimals(given: string): number {
  const animals = Math.ceil(positive('animals', given) ?? 0);
  if (animals >= minAnimals) return animals;
  throw new ExplainedError(`--animals must be at least ${minAnimals}.`);
}

function rejectEmpty(name: string): never {
  throw new ExplainedError(`--${name} must be a directory.`);
}

function positive(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d{1,9}(\.\d+)?$/.test(given) ? Number(given) : 0;
  if (value > 0) return value;
  throw new ExplainedError(`--${name} must be a number greater than 0.`);
}
