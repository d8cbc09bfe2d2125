import type { Type } from '@nestjs/common';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

const known = new Map<Type, readonly string[]>();

/**
 * The properties of a DTO class that have a rule, which are those that a request may contain.
 * @throws Error for a nested DTO.
 */
export function propertiesOf(dto: Type): readonly string[] {
  const properties = known.get(dto) ?? readProperties(dto);
  known.set(dto, properties);
  return properties;
}

function readProperties(dto: Type): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const nested = rules.find(({ type }) => type === ValidationTypes.NESTED_VALIDATION);
  if (nested) {
    throw new Error(
      `${dto.name}.${nested.propertyName} has @ValidateNested(), but nested DTOs are not supported. Extend DtoPipe first.`,
    );
  }
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
