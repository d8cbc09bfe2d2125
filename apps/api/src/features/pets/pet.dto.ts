import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  defaultPetStatus,
  int64Fault,
  int64Rule,
  isInt64,
  listLimits,
  type ListOrder,
  listOrders,
  type ListPetsQuery,
  nameFault,
  type NewPet,
  parseInt64,
  type Pet,
  petLimits,
  type PetStatus,
  petStatuses,
} from '@petstore/contracts';
import { IsIn, IsString, Max, Min, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { FromText } from '../../platform/http/dto.pipe.js';
import { cursorPattern } from './pet-cursor.js';

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
function IsInt64(options?: ValidationOptions): PropertyDecorator {
  const validator = {
    validate: isInt64,
    defaultMessage: (args?: { value: unknown }) => `\`$property\` ${int64Fault(args?.value)}.`,
  };
  return ValidateBy({ name: 'isInt64', validator }, options);
}

function IsOneOf(values: readonly string[]): PropertyDecorator {
  return IsIn(values, { message: `\`$property\` must be one of: ${values.join(', ')}.` });
}

/** Unlike class-validator's IsOptional, rejects `null`. */
function MayBeOmitted(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

/** Converts plain decimal digits. Any other text stays text, which the rules reject. */
function int64FromText(text: string): bigint | string {
  return parseInt64(text) ?? text;
}

/** Like `int64FromText`, as a `number`. */
function numberFromText(text: string): number | string {
  const value = int64FromText(text);
  return typeof value === 'bigint' ? Number(value) : value;
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

const limitRule = { message: `\`limit\` must be an integer between ${listLimits.min} and ${listLimits.max}.` };
const idRule = { message: `\`id\` ${int64Rule}.` };

/** Only `limit` and `order` have examples: Swagger UI fills them in, and they must not change the result. */
export class ListPetsQueryDto implements ListPetsQuery {
  @ApiPropertyOptional({
    description: 'Maximum number of animals returned.',
    type: 'integer',
    minimum: listLimits.min,
    maximum: listLimits.max,
    default: listLimits.default,
    example: listLimits.default,
  })
  @FromText(numberFromText)
  @MayBeOmitted()
  @Max(listLimits.max, limitRule)
  @Min(listLimits.min, limitRule)
  limit?: number;

  @ApiPropertyOptional({ enum: petStatuses, enumName: 'PetStatus', description: 'Only animals with this status.' })
  @MayBeOmitted()
  @IsOneOf(petStatuses)
  status?: PetStatus;

  @ApiPropertyOptional({
    description: 'By id: oldest first, or newest first.',
    enum: listOrders,
    default: 'asc',
    example: 'asc',
  })
  @MayBeOmitted()
  @IsOneOf(listOrders)
  order?: ListOrder;

  @ApiPropertyOptional({
    description:
      'The cursor of a `Link` with `rel="next"`. It is valid only for the status and the order of that response.',
    pattern: cursorPattern,
  })
  @MayBeOmitted()
  @IsString()
  after?: string;

  @ApiPropertyOptional({
    description:
      'Only the animal with this id. Can be combined with `status`, but not with `after`, `limit` or `order`.',
    type: 'integer',
    format: 'int64',
  })
  @FromText(int64FromText)
  @MayBeOmitted()
  @IsInt64(idRule)
  id?: bigint;
}
