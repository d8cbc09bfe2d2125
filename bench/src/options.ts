import { parseArgs } from 'node:util';
import { ExplainedError } from '@petstore/contracts';
import { type Group, groups } from './scenarios.js';

const peerNames = ['handwritten', 'starter', 'bun'] as const;
type PeerName = (typeof peerNames)[number];

export interface Options {
  /** Measures tables of different sizes instead of the peers. */
  readonly isGrowth: boolean;
  readonly only: readonly Group[];
  readonly peers: readonly PeerName[];
  /** How often each server is measured in each scenario. */
  readonly rounds: number;
  readonly seconds: number;
  readonly warmupSeconds: number;
  /** How long the memory of the service is measured. 0: not at all. */
  readonly memorySeconds: number;
  /** The size of the table, at least 2,000. With --growth, the size of each table. */
  readonly animals: readonly number[];
}

export const usage = `npm run bench -- [options]

  --growth          measure the service on tables of 10,000, 1,000,000 and 10,000,000 animals
  --peer bun        also compare with Elysia on Bun, which npm installs into bench/.peers
  --quick           a short run with fewer animals; its results are rough
  --only <groups>   one or more of ${groups.join(',')}; skips the memory measurement
  --rounds <n>, --seconds <n>, --animals <n,…>
                    override the defaults`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const definitions = {
  growth: flag,
  quick: flag,
  help: flag,
  peer: text,
  only: text,
  rounds: text,
  seconds: text,
  animals: text,
} as const;

// Many short rounds: the speed of a shared machine changes over minutes, so compared measurements must be close in time.
const presets = {
  standard: { rounds: 15, seconds: 1, warmup: 0.5, memory: 60, animals: [200_000] },
  growth: { rounds: 10, seconds: 0.6, warmup: 0.4, memory: 0, animals: [10_000, 1_000_000, 10_000_000] },
};
const quickPresets = {
  standard: { rounds: 2, seconds: 1.5, warmup: 0.5, memory: 3, animals: [20_000] },
  growth: { rounds: 2, seconds: 0.5, warmup: 0.2, memory: 0, animals: [2_000, 20_000, 100_000] },
};
/** Smaller tables do not have a full page of each kind. */
const minAnimals = 2_000;

/**
 * Returns `undefined` if --help is given.
 * @throws ExplainedError
 */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const preset = (values.quick ? quickPresets : presets)[values.growth ? 'growth' : 'standard'];
  const numbers = (name: 'rounds' | 'seconds' | 'animals', min: number) =>
    values[name]?.split(',').map((given) => atLeast(min, name, given)) ?? [preset[name]].flat();
  const [rounds = 0] = numbers('rounds', 1);
  const [seconds = 0] = numbers('seconds', 0.1);
  const more = values.peer === undefined ? [] : [choose('peer', values.peer, peerNames)];
  return {
    isGrowth: values.growth,
    only: values.only?.split(',').map((name) => choose('only', name, groups)) ?? groups,
    peers: [...new Set<PeerName>(['handwritten', 'starter', ...more])],
    rounds,
    seconds,
    warmupSeconds: preset.warmup,
    memorySeconds: values.only === undefined ? preset.memory : 0,
    animals: numbers('animals', minAnimals),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: definitions });
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${usage}`);
  }
}

function choose<Name extends string>(option: string, given: string, names: readonly Name[]): Name {
  const name = names.find((one) => one === given);
  if (name !== undefined) return name;
  throw new ExplainedError(`--${option} must be one of ${names.join(', ')}.`);
}

function atLeast(min: number, option: string, given: string): number {
  if (Number(given) >= min) return Number(given);
  throw new ExplainedError(`--${option} must be at least ${min}.`);
}
