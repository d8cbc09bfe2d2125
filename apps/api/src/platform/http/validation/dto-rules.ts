import type { Type } from '@nestjs/common';
import { getMetadataStorage, validateSync, ValidationTypes } from 'class-validator';

type Rule = (value: unknown, dto: object) => boolean;

/** What class-validator knows of one property. */
interface Property {
  name: string;
  /** Of which each has to hold, or the property is not judged at all. */
  conditions: readonly Rule[];
  rules: readonly Rule[];
}

const storage = getMetadataStorage();
type Metadata = ReturnType<typeof storage.getTargetValidationMetadatas>[number];

/**
 * The class-validator rules of a DTO. The library collects and sorts them anew for each object, 4 µs for a new animal:
 * here that is done once a class, and the library is asked only for the words about an object that breaks one.
 */
export class DtoRules {
  private readonly properties: readonly Property[];

  constructor(metatype: Type) {
    const metadata = storage.getTargetValidationMetadatas(metatype, '', false, false);
    this.properties = Object.entries(storage.groupByPropertyName(metadata)).map(([name, all]) => ({
      name,
      conditions: all.filter(isCondition).map(toCondition),
      rules: all.filter((one) => !isCondition(one)).flatMap(toRules),
    }));
  }

  /** Of each member that may be there. */
  get names(): string[] {
    return this.properties.map(({ name }) => name);
  }

  /** What is said about each rule that `dto` breaks, the first of each member. */
  brokenBy(dto: object): string[] {
    if (this.properties.every((property) => keeps(dto as Record<string, unknown>, property))) return [];
    const broken = validateSync(dto, { stopAtFirstError: true, validationError: { target: false, value: false } });
    return broken.flatMap(({ constraints }) => Object.values(constraints ?? {}));
  }
}

function keeps(dto: Record<string, unknown>, { name, conditions, rules }: Property): boolean {
  const value = dto[name];
  return !conditions.every((holds) => holds(value, dto)) || rules.every((holds) => holds(value, dto));
}

function isCondition({ type }: Metadata): boolean {
  return type === ValidationTypes.CONDITIONAL_VALIDATION;
}

function toCondition({ constraints }: Metadata): Rule {
  const [condition] = constraints as [(dto: object, value: unknown) => boolean];
  return (value, dto) => condition(dto, value);
}

/** A kind of rule that is not known here is never kept, so that the library judges it. */
function toRules({ type, each, validateIf, ...metadata }: Metadata): Rule[] {
  if (type !== ValidationTypes.CUSTOM_VALIDATION || each || validateIf) return [() => false];
  const { constraintCls, constraints, propertyName: property } = metadata;
  return storage.getTargetValidatorConstraints(constraintCls).map(({ instance }) => (value, object) => {
    const args = {
      value,
      object,
      property,
      constraints: constraints as unknown[],
      targetName: object.constructor.name,
    };
    return instance.validate(value, args) === true;
  });
}
