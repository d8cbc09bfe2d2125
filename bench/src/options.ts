import { parseArgs } from 'node:util';
import { ExplainedError } from '@petstore/contracts';

export interface Options {
  /** Measures tables of different sizes instead of the peers. */
  readonly isGrowth: boolean;
  readonly peers: readonly ('handwritten' | 'starter' | 'bun')[];
  /** How often each server is measured in each scenario. */
  readonly rounds: number;
  readonly seconds: number;
  readonly warmupSeconds: number;
  /** How long the memory of the service is measured. */
  readonly memorySeconds: number;
  /** The size of the table, at least 2,000. With --growth, the size of each table. */
  readonly animals: readonly number[];
}

export const usage = `npm run bench -- [options], on Linux

  --growth      measure the service on tables of 10,000, 1,000,000 and 10,000,000 animals
  --peer bun    also compare with Elysia on Bun, which npm installs into bench/.peers
  --quick       a short run with fewer animals; its results are rough
  --rounds <n>  how often each server is measured in each scenario`;

const definitions = {
  growth: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  peer: { type: 'string' },
  rounds: { type: 'string' },
} as const;

// Many short rounds: the speed of a shared machine changes over minutes, so compared measurements must be close in time.
const presets = {
  standard: { rounds: 15, seconds: 1, warmupSeconds: 0.5, memorySeconds: 60, animals: [200_000] },
  growth: { rounds: 10, seconds: 0.6, warmupSeconds: 0.4, memorySeconds: 0, animals: [10_000, 1_000_000, 10_000_000] },
};
const quickPresets = {
  standard: { rounds: 2, seconds: 1.5, warmupSeconds: 0.5, memorySeconds: 3, animals: [20_000] },
  growth: { rounds: 2, seconds: 0.5, warmupSeconds: 0.2, memorySeconds: 0, animals: [2_000, 20_000, 100_000] },
};

/**
 * Returns `undefined` if --help is given.
 * @throws ExplainedError
 */
export function readOptions(args: string[]): Options | undefined {
  const { growth, quick, help, peer, rounds } = parse(args);
  if (help) return undefined;
  if (peer !== undefined && peer !== 'bun') throw new ExplainedError('--peer must be bun.');
  const preset = (quick ? quickPresets : presets)[growth ? 'growth' : 'standard'];
  const given = Number(rounds ?? preset.rounds);
  if (!Number.isInteger(given) || given < 1) throw new ExplainedError('--rounds must be an integer of at least 1.');
  const peers = ['handwritten', 'starter', ...(peer === 'bun' ? ['bun' as const] : [])] as const;
  return { ...preset, isGrowth: growth, peers, rounds: given };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: definitions }).values;
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${usage}`);
  }
}
