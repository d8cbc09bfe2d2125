import { isInt64, petNameFault, petStatuses } from '@petstore/contracts';
import type { CsvFault, NewPet, Pet, PetNameFault } from '@petstore/contracts';
import type { LineFault } from './lines.js';

/** What is wrong with the file or its first line. No line can be imported. */
export type FileFault =
  | 'emptyFile'
  | 'crLineEnds'
  | 'jsonArray'
  | 'unknownColumns'
  | 'repeatedColumn'
  | 'missingColumn';

/** What is wrong with a field. */
export type FieldFault =
  | 'required'
  | 'wrongType'
  | PetNameFault
  /** The category is a text, and the store has no names of categories. */
  | 'notNumber'
  | 'fraction'
  | 'outOfRange'
  /** The category is a text, and no category of the store has this name. */
  | 'unknownCategory'
  /** Several categories of the store have this name. */
  | 'ambiguousCategory'
  | 'unknownStatus';

export type FaultCode =
  | FileFault
  | LineFault
  | CsvFault
  | 'cellCount'
  | 'notJson'
  | 'notObject'
  | 'unknownField'
  | FieldFault;

/** What is wrong, as data: the command and the admin write the sentence. */
export interface Fault {
  code: FaultCode;
  /** Without a field, the fault concerns the whole line. */
  field?: keyof Pet;
  /** The text of the cell, the JSON of the member, or what the code is about. At most 80 characters. */
  value?: string;
  /** With `cellCount`, the number of columns. */
  expected?: number;
  /** With `unknownColumns` and `missingColumn`, the columns of the file. */
  columns?: readonly string[];
}

export function fault(code: FaultCode, details: Omit<Fault, 'code'> = {}): Fault {
  const { value } = details;
  return { code, ...details, ...(value !== undefined && { value: value.slice(0, 80) }) };
}

/** The first rule of the service that a field breaks. A new field does not compile until it is here. */
export const fieldFaults: { [Field in keyof Required<NewPet>]: (value: unknown) => FieldFault | undefined } = {
  name: (value) => missing(value) ?? (typeof value === 'string' ? petNameFault(value) : 'wrongType'),
  categoryId: (value) => missing(value) ?? integerFault(value),
  status: (value) => {
    const isValid = value === undefined || petStatuses.some((status) => status === value);
    return isValid ? undefined : 'unknownStatus';
  },
};

function missing(value: unknown): 'required' | undefined {
  return value === undefined ? 'required' : undefined;
}

function integerFault(value: unknown): FieldFault | undefined {
  if (isInt64(value)) return undefined;
  if (typeof value === 'bigint') return 'outOfRange';
  if (typeof value !== 'number') return 'wrongType';
  // A `number` is a fraction, or an integer of more than 40 digits.
  return Number.isInteger(value) || !Number.isFinite(value) ? 'outOfRange' : 'fraction';
}
