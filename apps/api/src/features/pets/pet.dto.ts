import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  defaultPetStatus,
  listLimits,
  type ListOrder,
  listOrders,
  type ListPetsQuery,
  type NewPet,
  type Pet,
  petLimits,
  type PetStatus,
  petStatuses,
} from '@petstore/contracts';
import { IsString, Max, Min } from 'class-validator';
import { FromText } from '../../platform/http/validation/dto.pipe.js';
import { cursorPattern } from './pet-cursor.js';
import { integerFromText, int64FromText, IsInt64, IsOneOf, IsPetName, MayBeOmitted } from './pet.rules.js';

const nameProperty = {
  description: "The animal's name, stored and returned exactly as sent; not all white space, no NUL.",
  minLength: petLimits.nameMinLength,
  maxLength: petLimits.nameMaxLength,
  example: 'Rex',
};
const categoryIdProperty = {
  description: 'Identifier of the category the animal belongs to: an opaque reference, no record has to exist.',
  type: 'integer',
  format: 'int64',
  example: 7,
} as const;
const statusProperty = { enum: petStatuses, enumName: 'PetStatus', example: defaultPetStatus };

@ApiSchema({ name: 'NewPet', description: 'An animal to be added.' })
export class NewPetDto implements NewPet {
  @ApiProperty(nameProperty)
  @IsPetName()
  name!: string;

  @ApiProperty(categoryIdProperty)
  @IsInt64()
  categoryId!: bigint;

  @ApiPropertyOptional({ ...statusProperty, default: defaultPetStatus })
  @MayBeOmitted()
  @IsOneOf(petStatuses)
  status?: PetStatus;
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

const limitRule = `limit must be a whole number from ${listLimits.min} to ${listLimits.max} in plain decimal digits`;

/** Without examples: Swagger UI would fill them in, and not all parameters go together. */
export class ListPetsQueryDto implements ListPetsQuery {
  @ApiPropertyOptional({
    description: 'Maximum number of animals returned.',
    type: 'integer',
    minimum: listLimits.min,
    maximum: listLimits.max,
    default: listLimits.default,
  })
  @FromText(integerFromText)
  @MayBeOmitted()
  @Max(listLimits.max, { message: limitRule })
  @Min(listLimits.min, { message: limitRule })
  limit?: number;

  @ApiPropertyOptional({ enum: petStatuses, enumName: 'PetStatus', description: 'Only animals with this status.' })
  @MayBeOmitted()
  @IsOneOf(petStatuses)
  status?: PetStatus;

  @ApiPropertyOptional({ description: 'By id: oldest first, or newest first.', enum: listOrders, default: 'asc' })
  @MayBeOmitted()
  @IsOneOf(listOrders)
  order?: ListOrder;

  @ApiPropertyOptional({
    description:
      'The cursor of a `Link` with `rel="next"`, to be taken from there. It belongs to the status and the order that it was made for.',
    pattern: cursorPattern,
  })
  @MayBeOmitted()
  @IsString()
  after?: string;

  @ApiPropertyOptional({
    description:
      'Only the animal with this id, or none. Goes together with `status`; with `after`, `limit` or `order` it is refused.',
    type: 'integer',
    format: 'int64',
  })
  @FromText(int64FromText)
  @MayBeOmitted()
  @IsInt64()
  id?: bigint;
}
