import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import {
  defaultPetStatus,
  int64Fault,
  nameFault,
  type NewPet,
  type Pet,
  petLimits,
  type PetStatus,
  petStatuses,
} from '@petstore/contracts';
import { ValidateBy, ValidateIf } from 'class-validator';

/** What a field of a DTO is: its OpenAPI schema, and the rule of its values. */
export interface FieldDescription {
  /** The type is required: without it, Nest describes an optional text as an object. */
  schema: ApiPropertyOptions & ({ type: 'string' | 'integer' | 'array' } | { enum: readonly string[] });
  /** What is wrong with a value, as the rest of a sentence that starts with the field, or `undefined`. */
  faultOf: (value: unknown) => string | undefined;
}

function Field({ schema, faultOf }: FieldDescription): PropertyDecorator {
  return applyDecorators(ApiProperty(schema), Rule(faultOf));
}

/** It may be omitted, but not `null`. */
export function OptionalField({ schema, faultOf }: FieldDescription): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(schema),
    Rule(faultOf),
    ValidateIf((_dto, value) => value !== undefined),
  );
}

function Rule(faultOf: FieldDescription['faultOf']): PropertyDecorator {
  const validate = (value: unknown) => faultOf(value) === undefined;
  const defaultMessage = (args?: { value: unknown }) => `\`$property\` ${faultOf(args?.value)}.`;
  return ValidateBy({ name: 'rule', validator: { validate, defaultMessage } });
}

/** The `faultOf` of a field with these values. */
export function unlessOneOf(values: readonly string[]): FieldDescription['faultOf'] {
  return (value) => (values.includes(value as string) ? undefined : `must be one of: ${values.join(', ')}`);
}

const name: FieldDescription = {
  schema: {
    description:
      "The animal's name, stored and returned exactly as sent. Not only white space (NEL included), no NUL character, no unpaired surrogate.",
    type: 'string',
    // Not exact, but it compiles in every tool and rejects no valid name.
    pattern: String.raw`\S`,
    minLength: petLimits.nameMinLength,
    maxLength: petLimits.nameMaxLength,
    example: 'Rex',
  },
  faultOf: nameFault,
};
const categoryId: FieldDescription = {
  schema: {
    description:
      'Identifier of the category the animal belongs to: an opaque reference. No category record needs to exist.',
    type: 'integer',
    format: 'int64',
    example: 7,
  },
  faultOf: int64Fault,
};
const status: FieldDescription = {
  schema: {
    enum: petStatuses,
    enumName: 'PetStatus',
    enumSchema: { description: 'Availability of an animal.' },
  },
  faultOf: unlessOneOf(petStatuses),
};

@ApiSchema({ name: 'NewPet', description: 'An animal to add.' })
export class NewPetDto implements NewPet {
  @Field(name)
  name!: string;

  @Field(categoryId)
  categoryId!: bigint;

  @OptionalField({
    ...status,
    schema: { ...status.schema, description: `If it is omitted, the animal is \`${defaultPetStatus}\`.` },
  })
  status?: PetStatus | undefined;
}

@ApiSchema({ name: 'Pet', description: 'An animal of the store.' })
export class PetDto implements Pet {
  @ApiProperty({
    description: 'Unique identifier assigned by the service on creation.',
    type: 'integer',
    format: 'int64',
    minimum: 1,
    example: 1,
  })
  id!: bigint;

  @Field(name)
  name!: string;

  @Field(categoryId)
  categoryId!: bigint;

  @Field(status)
  status!: PetStatus;
}

/** The operation has no query parameters: a mistyped one must not be ignored. */
export class NoQueryDto {}
