import { ExplainedError } from '@petstore/contracts';
import { closest, distance } from 'fastest-levenshtein';
import type { VariableName } from './meanings.js';

/** Short names such as PORT resemble too many others. */
const minLengthToCompare = 8;
const maxDistance = 2;

/** Names each invalid variable and what is allowed. Never contains the value of a secret. */
export class ConfigError extends ExplainedError {
  /** sysexits.h: EX_CONFIG. */
  override readonly exitCode = 78;

  constructor(readonly faults: readonly string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Parses the text of a variable, or returns why it is invalid. */
export type Parse<Value> = (text: string) => Value | Invalid;

/** The reason continues a sentence that starts with the name of the variable. */
export class Invalid {
  constructor(readonly reason: string) {}
}

/** Reads variables and collects all errors, to report them together. */
export class Environment {
  readonly faults: string[] = [];
  /** The known variables with their defaults. */
  readonly defaults = new Map<VariableName, unknown>();

  constructor(private readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** An empty variable counts as unset, because compose files and unit files leave variables out that way. */
  read<Value, Default>(name: VariableName, parse: Parse<Value>, whenUnset: Default): Value | Default {
    this.defaults.set(name, whenUnset);
    const text = this.variables[name];
    if (text === undefined || text === '') return whenUnset;
    const value = parse(text);
    if (!(value instanceof Invalid)) return value;
    this.faults.push(`${name} ${value.reason}`);
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

/** Quotes an invalid value for a message. Do not use it for secrets. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return new Invalid(`must be an integer from ${min} to ${max}, not ${shown(text)}`);
  };
}

export function oneOf<const Value extends string>(values: readonly Value[]): Parse<Value> {
  return (text) =>
    values.find((value) => value === text) ?? new Invalid(`must be one of ${values.join(', ')}, not ${shown(text)}`);
}

export const boolean: Parse<boolean> = (text) => {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return new Invalid(`must be true or false, not ${shown(text)}`);
};
