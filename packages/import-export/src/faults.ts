import type { CsvFault, Pet, PetNameFault } from '@petstore/contracts';
import type { LineFault } from './lines.js';

/** What is wrong with the file or its first line. No line can be imported. */
export type FileFault = 'emptyFile' | 'jsonArray' | 'unknownColumns' | 'repeatedColumn' | 'missingColumn';

/** What is wrong with a field. */
export type FieldFault =
  | 'required'
  | 'wrongType'
  | PetNameFault
  /** The category is a text, and the store has no names of categories. */
  | 'notNumber'
  | 'fraction'
  /** A spreadsheet has shortened the number, such as 1E+05. */
  | 'numberFormat'
  | 'outOfRange'
  /** The category is a text, and no category of the store has this name. */
  | 'unknownCategory'
  /** Several categories of the store have this name. */
  | 'ambiguousCategory'
  | 'unknownStatus';

/** What is wrong with a line or a file. */
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

/** Creates a fault, with at most 80 characters of the value. */
export function fault(code: FaultCode, details: Omit<Fault, 'code'> = {}): Fault {
  const { value } = details;
  return { code, ...details, ...(value !== undefined && { value: value.slice(0, 80) }) };
}
