import { ExplainedError } from '@petstore/explained-error';
import { closest, distance } from 'fastest-levenshtein';
import type { VariableName } from './meanings.js';

/** Short names such as PORT resemble too many others. */
const minLengthToCompare = 8;
const maxDistance = 2;

/** The variables that cannot be used, each with what is wrong and what is allowed, never with a secret's value. */
export class ConfigError extends ExplainedError {
  /** sysexits.h: EX_CONFIG. */
  override readonly exitCode = 78;

  constructor(readonly faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Turns the text of a variable into its value, or says what is allowed. */
export type Parse<Value> = (text: string) => Value | Refused;

export class Refused {
  constructor(readonly allowed: string) {}
}

/** Reads variables and collects every fault, so that all of them are named at once. */
export class Environment {
  readonly faults: string[] = [];
  /** The known variables with their defaults. */
  readonly defaults = new Map<VariableName, unknown>();

  constructor(private readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** An empty variable counts as unset: that is how compose files and unit files leave one out. */
  read<Value, Default>(name: VariableName, parse: Parse<Value>, whenUnset: Default): Value | Default {
    this.defaults.set(name, whenUnset);
    const text = this.variables[name];
    if (text === undefined || text === '') return whenUnset;
    const value = parse(text);
    if (!(value instanceof Refused)) return value;
    this.faults.push(`${name}: ${value.allowed}`);
    return whenUnset;
  }

  /** Each unknown variable that differs from a longer known one by one or two letters. */
  misspellings(): { name: string; known: string }[] {
    const names: string[] = [...this.defaults.keys()];
    const longer = names.filter((known) => known.length >= minLengthToCompare);
    const unknown = Object.keys(this.variables).filter((name) => !names.includes(name));
    return unknown.flatMap((name) => {
      const known = closest(name, longer);
      return distance(name, known) <= maxDistance ? [{ name, known }] : [];
    });
  }
}

/** `shown` puts the faulty value into the message; secrets are never read with it. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return new Refused(`${shown(text)} is not a whole number from ${min} to ${max}`);
  };
}

export function oneOf<const Value extends string>(values: readonly Value[]): Parse<Value> {
  return (text) =>
    values.find((value) => value === text) ?? new Refused(`${shown(text)} is none of ${values.join(', ')}`);
}

export const boolean: Parse<boolean> = (text) => {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return new Refused(`${shown(text)} is neither true nor false`);
};
