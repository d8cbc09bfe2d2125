import { parseArgs } from 'node:util';
import { ExplainedError } from '@petstore/explained-error';
import { allDrills } from './all-drills.js';
import type { Drill } from './drill.js';

export interface Options {
  drills: readonly Drill[];
  isQuick: boolean;
  rows: number;
}

const longest = Math.max(...allDrills.map(({ name }) => name.length));

export const usage = `npm run drill -- [options]

  --quick           run the short form of each drill
  --rows <number>   the animals of the drill "import" (default: 1000000)
  --only <drills>   run only these, separated by commas:
${allDrills.map(({ name, about }) => `                    ${name.padEnd(longest)}  ${about}`).join('\n')}`;

const definitions = {
  quick: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  only: { type: 'string' },
  rows: { type: 'string', default: '1000000' },
} as const;

/**
 * Returns `undefined` if --help is given.
 * @throws ExplainedError
 */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const drills = values.only === undefined ? allDrills : values.only.split(',').map(toDrill);
  return { drills, isQuick: values.quick, rows: toRows(values.rows) };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: definitions });
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${usage}`);
  }
}

function toRows(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new ExplainedError('--rows must be an integer from 1 to 99999999.');
}

function toDrill(name: string): Drill {
  const drill = allDrills.find((one) => one.name === name);
  if (drill) return drill;
  const names = allDrills.map((one) => one.name).join(', ');
  throw new ExplainedError(`--only must be a comma-separated list of ${names}.`);
}
