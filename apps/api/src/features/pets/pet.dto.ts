import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  defaultPetStatus,
  int64Fault,
  isInt64,
  nameFault,
  type NewPet,
  type Pet,
  petLimits,
  type PetStatus,
  petStatuses,
} from '@petstore/contracts';
import { IsIn, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';

function IsPetName(): PropertyDecorator {
  return ValidateBy({
    name: 'isPetName',
    validator: {
      validate: (value) => nameFault(value) === undefined,
      defaultMessage: (args) => `\`$property\` ${nameFault(args?.value)}.`,
    },
  });
}

/** class-validator's IsInt rejects `bigint`, and its Min and Max round. */
export function IsInt64(options?: ValidationOptions): PropertyDecorator {
  const validator = {
    validate: isInt64,
    defaultMessage: (args?: { value: unknown }) => `\`$property\` ${int64Fault(args?.value)}.`,
  };
  return ValidateBy({ name: 'isInt64', validator }, options);
}

export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, { message: `\`$property\` must be one of: ${values.join(', ')}.` });
}

/** Unlike class-validator's IsOptional, rejects `null`. */
export function MayBeOmitted(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

const nameProperty = {
  description:
    "The animal's name, stored and returned exactly as sent. Not only white space (NEL included), no NUL character, no unpaired surrogate.",
  // Not exact, but it compiles in every tool and rejects no valid name.
  pattern: String.raw`\S`,
  minLength: petLimits.nameMinLength,
  maxLength: petLimits.nameMaxLength,
  example: 'Rex',
};
const categoryIdProperty = {
  description:
    'Identifier of the category the animal belongs to: an opaque reference. No category record needs to exist.',
  type: 'integer',
  format: 'int64',
  example: 7,
} as const;
const statusProperty = {
  enum: petStatuses,
  enumName: 'PetStatus',
  enumSchema: {
    description: `Availability of an animal. An animal that is added without a status is \`${defaultPetStatus}\`.`,
  },
};

@ApiSchema({ name: 'NewPet', description: 'An animal to add.' })
export class NewPetDto implements NewPet {
  @ApiProperty(nameProperty)
  @IsPetName()
  name!: string;

  @ApiProperty(categoryIdProperty)
  @IsInt64()
  categoryId!: bigint;

  @ApiPropertyOptional(statusProperty)
  @MayBeOmitted()
  @IsOneOf(petStatuses)
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

  @ApiProperty(nameProperty)
  name!: string;

  @ApiProperty(categoryIdProperty)
  categoryId!: bigint;

  @ApiProperty(statusProperty)
  status!: PetStatus;
}

/** The operation has no query parameters: a mistyped one must not be ignored. */
export class NoQueryDto {}
