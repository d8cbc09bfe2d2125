import {
  int64,
  int64Rule,
  isInt64,
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
import { FromText } from '../../platform/http/dto.pipe.js';
import { OptionalField, unlessOneOf } from './pet.dto.js';

// These functions convert plain decimal digits. They return any other text unchanged, and the rules reject it.

function int64FromText(text: string): bigint | string {
  return parseInt64(text) ?? text;
}

function numberFromText(text: string): number | string {
  const value = int64FromText(text);
  return typeof value === 'bigint' ? Number(value) : value;
}

/** The result is sorted and without repeats: `9,7,7` is `7,9`. */
function int64sFromText(text: string): bigint[] | string {
  const values = text.split(',').map(parseInt64);
  if (values.includes(undefined)) return text;
  return [...new Set(values as bigint[])].toSorted((one, other) => (one < other ? -1 : 1));
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value >= listLimits.min && value <= listLimits.max;
}

function isCategoryIds(value: unknown): boolean {
  return Array.isArray(value) && value.length <= maxCategoryIds;
}

const limitRule = `must be an integer between ${listLimits.min} and ${listLimits.max}, in plain digits`;
const categoryIdRule = `must be 1 to ${maxCategoryIds} integers between ${int64.min} and ${int64.max}, separated by commas`;

/** Only `limit` and `order` have examples: tools fill them in, and they must not change the result. */
export class ListPetsQueryDto implements ListPetsQuery {
  @FromText(numberFromText)
  @OptionalField({
    schema: {
      description: 'Maximum number of animals returned.',
      type: 'integer',
      minimum: listLimits.min,
      maximum: listLimits.max,
      default: listLimits.default,
      example: listLimits.default,
    },
    faultOf: (value) => (isLimit(value) ? undefined : limitRule),
  })
  limit?: number;

  @OptionalField({
    schema: { enum: petStatuses, enumName: 'PetStatus', description: 'Only animals with this status.' },
    faultOf: unlessOneOf(petStatuses),
  })
  status?: PetStatus;

  @FromText(int64sFromText, { isRepeatable: true })
  @OptionalField({
    schema: {
      // OpenAPI repeats the parameter for each value by default.
      ...({ style: 'form', explode: false } as const),
      description: `Only animals of these categories: 1 to ${maxCategoryIds}, separated by commas. The parameter may also be repeated.`,
      type: 'array',
      items: { type: 'integer', format: 'int64' },
      minItems: 1,
      maxItems: maxCategoryIds,
    },
    faultOf: (value) => (isCategoryIds(value) ? undefined : categoryIdRule),
  })
  categoryId?: readonly bigint[];

  @OptionalField({
    schema: {
      description: `Only animals whose name has every word of this text: 1 to ${searchLimits.words} words, separated by spaces, each with a letter or a digit. Case and accents do not matter. A word of one or two characters must be at the beginning of the name or follow a space. A longer one can be in any part of the name. A number, such as 42, also finds the animal with this id.`,
      type: 'string',
      pattern: String.raw`\S`,
      minLength: 1,
      maxLength: searchLimits.length,
    },
    faultOf: searchFault,
  })
  q?: string;

  @OptionalField({
    schema: {
      description: 'By id: oldest first, or newest first.',
      enum: listOrders,
      default: 'asc',
      example: 'asc',
    },
    faultOf: unlessOneOf(listOrders),
  })
  order?: ListOrder;

  @OptionalField({
    schema: {
      description:
        'The cursor of a `Link` with `rel="next"`. It is opaque, and valid only for the filters and the order of that list.',
      type: 'string',
      minLength: 1,
      maxLength: 500,
    },
    // The service checks it.
    faultOf: () => undefined,
  })
  after?: string;

  @FromText(int64FromText)
  @OptionalField({
    schema: {
      description:
        'Only the animal with this id. Can be combined with `status`, but not with `after` or another filter. `limit` and `order` do not change the result.',
      type: 'integer',
      format: 'int64',
    },
    faultOf: (value) => (isInt64(value) ? undefined : `${int64Rule}, in plain digits`),
  })
  id?: bigint;
}
