import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  int64,
  int64Rule,
  listLimits,
  type ListOrder,
  listOrders,
  type ListPetsQuery,
  maxCategoryIds,
  parseInt64,
  type PetStatus,
  petStatuses,
  searchFault,
  searchLimits,
} from '@petstore/contracts';
import {
  ArrayMaxSize,
  IsString,
  Max,
  Min,
  ValidateBy,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { FromText } from '../../platform/http/dto.pipe.js';
import { IsInt64, IsOneOf, MayBeOmitted } from './pet.dto.js';

function IsSearch(): PropertyDecorator {
  return ValidateBy({
    name: 'isSearch',
    validator: {
      validate: (value) => searchFault(value) === undefined,
      defaultMessage: (args) => `\`$property\` ${searchFault(args?.value)}.`,
    },
  });
}

/** Converts plain decimal digits. Any other text stays text, which the rules reject. */
function int64FromText(text: string): bigint | string {
  return parseInt64(text) ?? text;
}

/** Converts plain decimal digits that commas separate. The result is sorted and without repeats: `9,7,7` is `7,9`. */
function int64sFromText(text: string): bigint[] | string {
  const values = text.split(',').map(parseInt64);
  if (values.includes(undefined)) return text;
  return [...new Set(values as bigint[])].toSorted((one, other) => (one < other ? -1 : 1));
}

/** Like `int64FromText`, as a `number`. */
function numberFromText(text: string): number | string {
  const value = int64FromText(text);
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Rejects a parameter. A value such as `01` is still a text: the message then names the form too. */
function integerRule(rule: string): ValidationOptions {
  const isPlain = (value: unknown) =>
    String(value)
      .split(',')
      .every((part) => /^(0|-?[1-9]\d*)$/.test(part));
  return {
    message: ({ property, value }: ValidationArguments) =>
      `\`${property}\` ${rule}${isPlain(value) ? '' : ', in plain digits without leading zeros'}.`,
  };
}

const limitRule = integerRule(`must be an integer between ${listLimits.min} and ${listLimits.max}`);
const idRule = integerRule(int64Rule);
const categoryIdRule = integerRule(
  `must be 1 to ${maxCategoryIds} integers between ${int64.min} and ${int64.max}, separated by commas`,
);

/** OpenAPI repeats the parameter for each value by default. */
const commaSeparated = { style: 'form', explode: false } as const;

/** Only `limit` and `order` have examples: tools fill them in, and they must not change the result. */
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
    ...commaSeparated,
    description: `Only animals of these categories: 1 to ${maxCategoryIds}, separated by commas. The parameter may also be repeated.`,
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    minItems: 1,
    maxItems: maxCategoryIds,
  })
  @FromText(int64sFromText, { isRepeatable: true })
  @MayBeOmitted()
  @ArrayMaxSize(maxCategoryIds, categoryIdRule)
  categoryId?: readonly bigint[];

  @ApiPropertyOptional({
    description: `Only animals whose name has every word of this text: 1 to ${searchLimits.words} words, separated by spaces, each with a letter or a digit. Case and accents do not matter. A word of one or two characters must be at the beginning of the name or follow a space. A longer one can be in any part of the name. A number, such as 42, also finds the animal with this id.`,
    type: 'string',
    pattern: String.raw`\S`,
    minLength: 1,
    maxLength: searchLimits.length,
  })
  @MayBeOmitted()
  @IsSearch()
  q?: string;

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
      'The cursor of a `Link` with `rel="next"`. It is opaque, and valid only for the filters and the order of that list.',
    minLength: 1,
    maxLength: 500,
  })
  @MayBeOmitted()
  @IsString()
  after?: string;

  @ApiPropertyOptional({
    description:
      'Only the animal with this id. Can be combined with `status`, but not with `after` or another filter. `limit` and `order` do not change the result.',
    type: 'integer',
    format: 'int64',
  })
  @FromText(int64FromText)
  @MayBeOmitted()
  @IsInt64(idRule)
  id?: bigint;
}
