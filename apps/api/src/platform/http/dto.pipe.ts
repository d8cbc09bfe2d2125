import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import { DomainError } from '../errors/domain-error.js';

type Convert = (text: string) => unknown;
type Members = Readonly<Record<string, unknown>>;

interface Conversion {
  convert: Convert;
  /** The texts of a repeated parameter are joined by commas. */
  isRepeatable: boolean;
}

const conversionMetadata = Symbol('conversion');

/** A message names as many faults, and has at most 2 kB. */
const maxFaults = 10;
const maxNameLength = 50;

/** Converts the text of a query parameter to its type. A text that cannot be converted stays text and breaks its rule. */
export function FromText(convert: Convert, { isRepeatable = false } = {}): PropertyDecorator {
  const conversion: Conversion = { convert, isRepeatable };
  return (target, property) => Reflect.defineMetadata(conversionMetadata, conversion, target, property);
}

function conversionOf(metatype: Type, name: string): Conversion | undefined {
  return Reflect.getMetadata(conversionMetadata, metatype.prototype as object, name) as Conversion | undefined;
}

/**
 * Creates the DTO of a body or a query, and validates it by its class-validator rules. Nest's ValidationPipe accepts
 * unknown members named "constructor" and "__proto__", and needs class-transformer, which rounds integers.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  /** @throws DomainError invalid_json, invalid_body or invalid_query. The message names every invalid member. */
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    if (data !== undefined) throw new Error(`@Query('${data}') is not validated: describe the query by a DTO class.`);
    const members = membersOf(value, type);
    const properties = propertiesOf(metatype);
    const dto = toDto(metatype, properties, members);
    const isRepeated = (name: string) => Array.isArray(members[name]) && !conversionOf(metatype, name)?.isRepeatable;
    const repeated = type === 'query' ? properties.filter(isRepeated) : [];
    const faults = [
      ...repeated.map((name) => `\`${name}\` must not be repeated.`),
      ...(properties.length > 0 ? brokenRules(dto, repeated) : []),
    ].slice(0, maxFaults);
    const unknown = Object.keys(members).filter((name) => !properties.includes(name));
    if (unknown.length > 0) faults.push(unknownFault(unknown, maxFaults - faults.length, properties));
    if (faults.length > 0) throw invalid(type, faults);
    return dto;
  }
}

function membersOf(value: unknown, type: 'body' | 'query'): Members {
  if (value === undefined) throw new DomainError('invalid_json', 'The body is missing. Send a JSON object.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(type, ['The body must be a JSON object.']);
  }
  return value as Members;
}

function toDto(metatype: Type, properties: readonly string[], members: Members): object {
  const dto = new metatype() as Record<string, unknown>;
  for (const name of properties) {
    if (!Object.hasOwn(members, name)) continue;
    const { convert, isRepeatable } = conversionOf(metatype, name) ?? {};
    const value = isRepeatable ? [members[name]].flat().join(',') : members[name];
    dto[name] = convert && typeof value === 'string' ? convert(value) : value;
  }
  return dto;
}

function brokenRules(dto: object, except: readonly string[]): string[] {
  const errors = validateSync(dto, { stopAtFirstError: true, validationError: { target: false, value: false } });
  const others = errors.filter(({ property }) => !except.includes(property));
  return others.flatMap(({ constraints }) => Object.values(constraints ?? {}));
}

/** Names the first unknown members. */
function unknownFault(unknown: readonly string[], shown: number, properties: readonly string[]): string {
  const names = unknown.slice(0, shown).map(quoted);
  const more = unknown.length - names.length;
  const list = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
  const allowed = properties.length === 0 ? 'No parameter is allowed.' : `Allowed: ${properties.join(', ')}.`;
  return `${list} ${unknown.length === 1 ? 'is' : 'are'} unknown. ${allowed}`;
}

/** Escapes and shortens a name: an unknown one can contain any character, and be as long as the body. */
function quoted(name: string): string {
  const escaped = JSON.stringify(name.slice(0, maxNameLength + 1)).slice(1, -1);
  if (escaped.length <= maxNameLength) return `\`${escaped}\``;
  // Without the first half of a character that is cut.
  return `\`${escaped.slice(0, maxNameLength).replace(/[\uD800-\uDBFF]$/, '')}…\``;
}

function invalid(type: 'body' | 'query', faults: string[]): DomainError {
  return new DomainError(type === 'body' ? 'invalid_body' : 'invalid_query', faults.join(' '));
}

const known = new Map<Type, readonly string[]>();

/** The properties of a DTO class that have a rule, which are those that a request may contain. */
function propertiesOf(dto: Type): readonly string[] {
  const properties = known.get(dto) ?? readProperties(dto);
  known.set(dto, properties);
  return properties;
}

function readProperties(dto: Type): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
