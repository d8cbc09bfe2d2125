import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import { DomainError } from '../errors/domain-error.js';

type Convert = (text: string) => unknown;
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
  private readonly properties = new Map<Type, ReadonlySet<string>>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    const refuse = (faults: string[]) => refused(type, faults);
    if (type === 'body' && value === undefined) {
      throw new DomainError('invalid_json', 'The body is missing; send one JSON object.');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(['it is not a JSON object']);
    const allowed = this.propertiesOf(metatype);
    const repeated = type === 'query' ? Object.entries(value).filter(([, given]) => Array.isArray(given)) : [];
    if (repeated.length > 0) throw refuse([`${repeated.map(([name]) => name.slice(0, 50)).join(', ')} is given more than once`]);
    const unknown = Object.keys(value).filter((name) => !allowed.has(name));
    const dto = fill(new metatype() as object, value as Record<string, unknown>, allowed);
    const faults = validateSync(dto, { stopAtFirstError: true, validationError: { target: false, value: false } })
      .flatMap(({ constraints }) => Object.values(constraints ?? {}))
      .concat(unknown.length > 0 ? [unknownFault(unknown, allowed)] : []);
    if (faults.length > 0) throw refuse(faults);
    return dto;
  }

  private propertiesOf(metatype: Type): ReadonlySet<string> {
    const known = this.properties.get(metatype);
    if (known) return known;
    const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
    const properties = new Set(rules.map(({ propertyName }) => propertyName));
    this.properties.set(metatype, properties);
    return properties;
  }
}

function fill(dto: object, value: Record<string, unknown>, allowed: ReadonlySet<string>): object {
  for (const name of allowed) {
    const given = value[name];
    if (given === undefined) continue;
    const convert = Reflect.getMetadata(convertMetadata, dto, name) as Convert | undefined;
    const converted = convert && typeof given === 'string' ? convert(given) : given;
    Object.assign(dto, { [name]: converted });
  }
  return dto;
}

function unknownFault(unknown: string[], allowed: ReadonlySet<string>): string {
  const named = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 50)));
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  return `${named.join(', ')}${more} ${unknown.length === 1 ? 'is' : 'are'} unknown, allowed are ${[...allowed].join(', ')}`;
}

function refused(type: 'body' | 'query', faults: string[]): DomainError {
  const code = type === 'body' ? 'invalid_body' : 'invalid_query';
  return new DomainError(code, `The ${type} cannot be used: ${faults.join('; ')}.`);
}
