import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { DomainError } from '../../errors/domain-error.js';
import { DtoRules } from './dto-rules.js';

type Convert = (text: string) => unknown;
type Members = Readonly<Record<string, unknown>>;
/** What is known of a class of DTOs: its rules, and how the text of each member becomes its value. */
interface DtoClass {
  rules: DtoRules;
  members: ReadonlyMap<string, Convert | undefined>;
}

const convertMetadata = Symbol('convert');

/** For a query parameter that is not text: how its text becomes its value. What cannot be converted stays text. */
export function FromText(convert: Convert): PropertyDecorator {
  return (target, property) => Reflect.defineMetadata(convertMetadata, convert, target, property);
}

/**
 * Makes the DTO of a body or a query and judges it by its class-validator rules. Works on own members only, and
 * refuses unknown ones; Nest's ValidationPipe passes over members named "constructor" and "__proto__" in silence.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  private readonly classes = new Map<Type, DtoClass>();

  /** @throws DomainError invalid_json, invalid_body or invalid_query, which names each member at fault. */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    const members = membersOf(value, type);
    const { rules, members: allowed } = this.classOf(metatype);
    const dto = fill(new metatype() as Record<string, unknown>, members, allowed);
    const faults = [...rules.brokenBy(dto), ...unknownMembers(members, allowed)];
    if (faults.length > 0) throw refusal(type, faults);
    return dto;
  }

  private classOf(metatype: Type): DtoClass {
    const known = this.classes.get(metatype);
    if (known) return known;
    const rules = new DtoRules(metatype);
    const made = { rules, members: new Map(rules.names.map((name) => [name, convertOf(metatype, name)])) };
    this.classes.set(metatype, made);
    return made;
  }
}

function convertOf(metatype: Type, member: string): Convert | undefined {
  return Reflect.getMetadata(convertMetadata, metatype.prototype as object, member) as Convert | undefined;
}

function membersOf(value: unknown, type: 'body' | 'query'): Members {
  if (value === undefined) throw new DomainError('invalid_json', 'The body is missing; send one JSON object.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal(type, ['it is not a JSON object']);
  }
  const members = value as Members;
  if (type === 'body') return members;
  const repeated = Object.keys(members).filter((name) => Array.isArray(members[name]));
  if (repeated.length > 0) throw refusal(type, [`${quoted(repeated)} may be given only once`]);
  return members;
}

function fill(dto: Record<string, unknown>, members: Members, allowed: DtoClass['members']): object {
  for (const [name, convert] of allowed) {
    const given = Object.hasOwn(members, name) ? members[name] : undefined;
    if (given !== undefined) dto[name] = convert && typeof given === 'string' ? convert(given) : given;
  }
  return dto;
}

function unknownMembers(members: Members, allowed: DtoClass['members']): string[] {
  const unknown = Object.keys(members).filter((name) => !allowed.has(name));
  if (unknown.length === 0) return [];
  return [
    `${quoted(unknown)} ${unknown.length === 1 ? 'is' : 'are'} unknown, allowed are ${[...allowed.keys()].join(', ')}`,
  ];
}

/** JSON strings, because a name that nobody knows can hold anything. */
function quoted(names: string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}

function refusal(type: 'body' | 'query', faults: string[]): DomainError {
  const code = type === 'body' ? 'invalid_body' : 'invalid_query';
  return new DomainError(code, `The ${type} cannot be used: ${faults.join('; ')}.`);
}
