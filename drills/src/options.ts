import { parseArgs } from 'node:util';
import { ExplainedError } from '@petstore/contracts';
import { allDrills } from './all-drills.js';
import type { Drill, DrillSettings } from './drill.js';

export interface Options extends DrillSettings {
  drills: readonly Drill[];
}

const longest = Math.max(...allDrills.map(({ name }) => name.length));

export const usage = `npm run drill -- [drills] [options]

  --quick           run the short form of each drill
  --animals <n>     the number of animals of the drills backup and import
  --only <drills>   run only these, separated by commas; the same as naming them first:
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
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const names = [...positionals, ...(values.only?.split(',') ?? [])];
  const drills = names.length === 0 ? allDrills : names.map(toDrill);
  return { drills, isQuick: values.quick, animals: values.animals === undefined ? undefined : toCount(values.animals) };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: definitions, allowPositionals: true });
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
  throw new ExplainedError(`"${name}" is not a drill. Choose from ${names}.`);
}
