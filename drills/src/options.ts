import { parseArgs } from 'node:util';
import { ExplainedError } from '@petstore/explained-error';
import { allDrills } from './all-drills.js';
import type { Drill, DrillSettings } from './drill.js';

export interface Options extends DrillSettings {
  drills: readonly Drill[];
}

const longest = Math.max(...allDrills.map(({ name }) => name.length));

export const usage = `npm run drill -- [options]

  --quick           run the short form of each drill
  --animals <n>     the number of animals of the drills backup and import
  --only <drills>   run only these, separated by commas:
${allDrills.map(({ name, about }) => `                    ${name.padEnd(longest)}  ${about}`).join('\n')}`;

const definitions = {
  quick: { type: 'boolean', default: false },
  animals: { type: 'string' },
  help: { type: 'boolean', default: false },
  only: { type: 'string' },
} as const;

/**
 * Returns `undefined` if --help is given.
 * @throws ExplainedError
 */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const drills = values.only === undefined ? allDrills : values.only.split(',').map(toDrill);
  return { drills, isQuick: values.quick, animals: values.animals === undefined ? undefined : toCount(values.animals) };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: definitions });
  } catch (error) {
    throw new ExplainedError(`${(error as Error).message}\n\n${usage}`);
  }
}

function toCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new ExplainedError('--animals must be a whole number from 1 to 999999999.');
}

function toDrill(name: string): Drill {
  const drill = allDrills.find((one) => one.name === name);
  if (drill) return drill;
  const names = allDrills.map((one) => one.name).join(', ');
  throw new ExplainedError(`--only must be a comma-separated list of ${names}.`);
}
