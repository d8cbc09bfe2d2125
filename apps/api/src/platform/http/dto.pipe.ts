import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import { DomainError } from '../errors/domain-error.js';

type Convert = (text: string) => unknown;
type Members = Readonly<Record<string, unknown>>;

/** A property of a DTO class with a rule. A request may contain only those. */
interface Property {
  name: string;
  convert?: Convert;
  /** The texts of a repeated parameter are joined by commas. */
  isRepeatable?: boolean;
}

const conversionMetadata = Symbol('conversion');

/** A message names as many faults, and has at most 2 kB. */
const maxFaults = 10;
const maxNameLength = 50;

/** Converts the text of a query parameter to its type. A text that cannot be converted stays text and breaks its rule. */
export function FromText(convert: Convert, { isRepeatable = false } = {}): PropertyDecorator {
  return Reflect.metadata(conversionMetadata, { convert, isRepeatable });
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
    const names = properties.map(({ name }) => name);
    const dto = toDto(metatype, properties, members);
    const isRepeated = ({ name, isRepeatable }: Property) => !isRepeatable && Array.isArray(members[name]);
    const repeated = type === 'query' ? properties.filter(isRepeated).map(({ name }) => name) : [];
    const faults = [
      ...repeated.map((name) => `\`${name}\` must not be repeated.`),
      ...(properties.length > 0 ? brokenRules(dto, repeated) : []),
    ].slice(0, maxFaults);
    const unknown = Object.keys(members).filter((name) => !names.includes(name));
    if (unknown.length > 0) faults.push(unknownFault(unknown, maxFaults - faults.length, names));
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

function toDto(metatype: Type, properties: readonly Property[], members: Members): object {
  const dto = new metatype() as Record<string, unknown>;
  for (const { name, convert, isRepeatable } of properties) {
    if (!Object.hasOwn(members, name)) continue;
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
function unknownFault(unknown: readonly string[], shown: number, known: readonly string[]): string {
  const names = unknown.slice(0, shown).map(quoted);
  const more = unknown.length - names.length;
  const list = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
  const allowed = known.length === 0 ? 'No parameter is allowed.' : `Allowed: ${known.join(', ')}.`;
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

const propertiesOfDtos = new Map<Type, readonly Property[]>();

function propertiesOf(dto: Type): readonly Property[] {
  const properties = propertiesOfDtos.get(dto) ?? readProperties(dto);
  propertiesOfDtos.set(dto, properties);
  return properties;
}

function readProperties(dto: Type): readonly Property[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  const conversionOf = (name: string) =>
    Reflect.getMetadata(conversionMetadata, dto.prototype as object, name) as Omit<Property, 'name'> | undefined;
  return [...names].map((name) => ({ name, ...conversionOf(name) }));
}
