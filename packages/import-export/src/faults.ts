import { type Pet, petLimits, petStatuses } from '@petstore/contracts';
import type { CellFault, RowFault } from '@petstore/table/table.js';

/** What is wrong with a row, as data: a program can read it, and the users of each program get its words. */
export interface Fault {
  code: FaultCode;
  /** Without a field, the fault concerns the whole row. */
  field?: keyof Pet;
  /** The text of the cell, the JSON of the member, or what the code is about. At most 80 characters. */
  value?: string | undefined;
  /** With `cellCount`, the number of columns. */
  expected?: number;
  /** With `numberOrName`, the number of the category that has the name. */
  named?: bigint | undefined;
}

/** What the users of a program call the parts of a file. */
export interface FileWords {
  field: (field: keyof Pet) => string;
  /** Sentences that name what only this program has. */
  own?: Partial<Record<FaultCode, Sentence>>;
}

/** `subject` is the field, or without one the row. */
type Sentence = (fault: Fault & { subject: string }) => string;

const notStorable = 'has a character that cannot be stored';
const statuses = `${petStatuses.slice(0, -1).join(', ')} or ${petStatuses.at(-1)}`;

/** The codes, each with its sentence. */
const sentences = {
  // A row.
  cellCount: ({ value, expected }) => `The row has ${value} cells, but the file has ${expected} columns.`,
  notJson: ({ value }) => `The row is not valid JSON: ${value}.`,
  notObject: () => `The row is not a JSON object.`,
  unknownField: ({ value }) => `“${value}” is not a known field.`,
  // A field.
  required: ({ subject }) => `${subject} is required.`,
  date: ({ subject, value }) =>
    `${subject} is a date: ${value}. Format the column as text, write the values again, and save the file.`,
  boolean: ({ subject, value }) => `${subject} is ${value}, which is not a text.`,
  formulaError: ({ subject, value }) => `${subject} is the error ${value} of a formula. Correct it in the spreadsheet.`,
  longNumber: ({ subject, value }) =>
    `${subject} is ${value}: Excel keeps only 15 digits of a number. Format the column as text, and write the number again.`,
  formattedNumber: ({ subject, value }) =>
    `${subject} is the number ${value}, but the spreadsheet may show another text. Format the column as text, write the ` +
    'values again, and save the file.',
  formula: ({ subject, value }) =>
    `${subject} is the formula ${value}. Write its result, or put ' before it if it is a text.`,
  noResult: ({ subject, value }) =>
    `${subject} is the formula ${value} without a result. Open the file in your spreadsheet program, and save it again.`,
  undecodable: ({ subject }) =>
    `${subject} has characters that cannot be read. Save the spreadsheet as “CSV UTF-8”, and choose that file.`,
  wrongType: ({ subject, field, value }) =>
    `${subject} must be ${field === 'categoryId' ? 'a number or a name' : 'a text'}, not ${value}.`,
  empty: ({ subject }) => `${subject} is required.`,
  tooLong: ({ subject }) => `${subject} must have at most ${petLimits.nameMaxLength} characters.`,
  blank: ({ subject }) => `${subject} must not be only spaces.`,
  nul: ({ subject }) => `${subject} ${notStorable}.`,
  unpairedSurrogate: ({ subject }) => `${subject} ${notStorable}.`,
  /** The category is a text, and the store has no names of categories. */
  notNumber: ({ subject, value }) => `${subject} must be a number, not “${value}”.`,
  fraction: ({ subject, value }) => `${subject} must be a whole number, not ${value}.${withoutSeparators(value)}`,
  /** Such as 1E+05. */
  numberFormat: ({ subject, value }) =>
    `${subject} is ${value}: the spreadsheet has shortened the number. Format the column as a number without decimals, ` +
    'check its digits, and save the file again.',
  outOfRange: ({ subject, value }) => `${subject} has too many digits: ${value}.`,
  unknownCategory: ({ value }) => `The store has no category “${value}”.`,
  ambiguousCategory: ({ value }) => `Several categories are called “${value}”. Write the number.`,
  /** The number of a category, and the name of another one. */
  numberOrName: ({ value, named }) =>
    `The store has a category ${value}, and category ${named} has the name “${value}”. Write “category ${value}” or ` +
    `“category ${named}”.`,
  /** A number that no category of the store has. */
  newCategory: ({ value = '' }) =>
    `The store has no category ${value.replace(/^category /i, '')}, and no animal in it.`,
  unknownStatus: ({ subject, value }) => `${subject} must be ${statuses}, not “${value}”.`,
} satisfies Record<CellFault | RowFault['code'], Sentence> & Record<string, Sentence>;

export type FaultCode = keyof typeof sentences;

/** Creates a fault, with at most 80 characters of the value. */
export function fault(code: FaultCode, details: Omit<Fault, 'code'> = {}): Fault {
  const { value } = details;
  return { code, ...details, ...(value !== undefined && { value: value.slice(0, 80) }) };
}

/** The sentences for the faults of a row. */
export function faultText(faults: readonly Fault[], { field: nameOf, own }: FileWords): string {
  const sentenceOf = (found: Fault) => {
    const subject = found.field === undefined ? 'The row' : nameOf(found.field);
    return (own?.[found.code] ?? sentences[found.code])({ ...found, subject });
  };
  return faults.map(sentenceOf).join(' ');
}

function withoutSeparators(value = ''): string {
  return hasSeparators(value) ? ` If you mean ${value.replaceAll(/\D/g, '')}, write it so.` : '';
}

/** Whether a number has thousands separators. One of them looks like a fraction. */
export function hasSeparators(text: string): boolean {
  return /^[1-9]\d{0,2}([.,'’\s]\d{3})+$/.test(text);
}
