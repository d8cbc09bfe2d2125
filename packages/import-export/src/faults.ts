import { type Pet, petLimits, petStatuses } from '@petstore/contracts';
import { maxRecordLength } from './lines.js';

/** What is wrong with a line or a file, as data: a program can read it, and the users of each program get its words. */
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

/** What the users of a program call the parts of a file. */
export interface FileWords {
  /** A line of a file, or a row of a table. */
  row: string;
  field: (field: keyof Pet) => string;
  /** Sentences that name what only this program has. */
  own?: Partial<Record<FaultCode, Sentence>>;
}

/** `subject` is the field, or without one the line. */
type Sentence = (fault: Fault & { row: string; subject: string }) => string;

const notStorable = 'has a character that cannot be stored';
const statuses = `${petStatuses.slice(0, -1).join(', ')} or ${petStatuses.at(-1)}`;

/** The codes, each with its sentence. */
const sentences = {
  // The file or its first line. No line can be imported.
  emptyFile: () => 'The file is empty.',
  jsonArray: () => 'This is not a table. Save the spreadsheet as CSV.',
  unknownColumns: ({ value }) => `The column “${value}” is not known.`,
  repeatedColumn: ({ subject }) => `The column ${subject} occurs more than once.`,
  missingColumn: ({ subject }) => `The column ${subject} is missing.`,
  // A line.
  longLine: ({ row }) => `The ${row} is longer than ${maxRecordLength} bytes.`,
  nul: ({ subject, field }) => `${subject} ${notStorable}.${field ? '' : ' Save the file as CSV in UTF-8.'}`,
  undecodable: ({ row }) =>
    `The ${row} has characters that cannot be read. Choose other characters, or save the spreadsheet as “CSV UTF-8”.`,
  openQuote: ({ row }) => `The ${row} has a quotation mark that is not closed.`,
  misplacedQuote: ({ row }) => `The ${row} has a misplaced quotation mark. Write 5" cage as "5"" cage".`,
  cellCount: ({ row, value, expected }) => `The ${row} has ${value} cells, but the file has ${expected} columns.`,
  notJson: ({ row, value }) => `The ${row} is not valid JSON: ${value}.`,
  notObject: ({ row }) => `The ${row} is not a JSON object.`,
  unknownField: ({ value }) => `“${value}” is not a known field.`,
  // A field.
  required: ({ subject }) => `${subject} is required.`,
  wrongType: ({ subject, field, value }) =>
    `${subject} must be ${field === 'categoryId' ? 'a number' : 'a text'}, not ${value}.`,
  empty: ({ subject }) => `${subject} is required.`,
  tooLong: ({ subject }) => `${subject} must have at most ${petLimits.nameMaxLength} characters.`,
  blank: ({ subject }) => `${subject} must not be only spaces.`,
  unpairedSurrogate: ({ subject }) => `${subject} ${notStorable}.`,
  /** The category is a text, and the store has no names of categories. */
  notNumber: ({ subject, value }) => `${subject} must be a number, not “${value}”.`,
  fraction: ({ subject, value }) => `${subject} must be a whole number, not ${value}.${withoutSeparators(value)}`,
  /** Such as 1E+05. */
  numberFormat: ({ subject, value }) =>
    `${subject} is ${value}: the spreadsheet has shortened the number. Format the column as a number without decimals, ` +
    'check its digits, and save the file again.',
  outOfRange: ({ subject, value }) => `${subject} has too many digits: ${value}.`,
  unknownCategory: ({ value }) => `The store has no category “${value}”. Upper and lower case count.`,
  ambiguousCategory: ({ value }) => `Several categories are called “${value}”. Write the number.`,
  unknownStatus: ({ subject, value }) => `${subject} must be ${statuses}, not “${value}”.`,
} satisfies Record<string, Sentence>;

export type FaultCode = keyof typeof sentences;

/** Creates a fault, with at most 80 characters of the value. */
export function fault(code: FaultCode, details: Omit<Fault, 'code'> = {}): Fault {
  const { value } = details;
  return { code, ...details, ...(value !== undefined && { value: value.slice(0, 80) }) };
}

/** The sentences for the faults of a line. */
export function faultText(faults: readonly Fault[], { row, field: nameOf, own }: FileWords): string {
  const sentenceOf = (found: Fault) => {
    const subject = found.field === undefined ? `The ${row}` : nameOf(found.field);
    return (own?.[found.code] ?? sentences[found.code])({ ...found, row, subject });
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
