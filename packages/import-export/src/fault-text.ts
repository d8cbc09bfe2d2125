import { petLimits, petStatuses } from '@petstore/contracts';
import type { Fault, FaultCode } from './faults.js';
import { maxRecordLength } from './lines.js';
import { hasSeparators } from './pet-columns.js';

/** What the users of a program call the parts of a file. */
export interface FileWords {
  /** A line of a file, or a row of a table. */
  row: string;
  field: (field: NonNullable<Fault['field']>) => string;
  /** Sentences that name what only this program has. */
  own?: Partial<Sentences>;
}

type Sentences = Record<FaultCode, (fault: Fault, words: FileWords) => string>;

const notStorable = 'has a character that cannot be stored';
const statuses = `${petStatuses.slice(0, -1).join(', ')} or ${petStatuses.at(-1)}`;

/** The sentence for each fault. A new code does not compile until it is here. */
const sentences: Sentences = {
  emptyFile: () => 'The file is empty.',
  jsonArray: () => 'This is not a table. Save the spreadsheet as CSV.',
  unknownColumns: ({ value }) => `The column “${value}” is not known.`,
  repeatedColumn: (fault, words) => `The column ${subject(fault, words)} occurs more than once.`,
  missingColumn: (fault, words) => `The column ${subject(fault, words)} is missing.`,
  longLine: (_, { row }) => `The ${row} is longer than ${maxRecordLength} bytes.`,
  nul: (fault, words) =>
    `${subject(fault, words)} ${notStorable}.${fault.field ? '' : ' Save the file as CSV in UTF-8.'}`,
  undecodable: (_, { row }) =>
    `The ${row} has characters that cannot be read. Choose other characters, or save the spreadsheet as “CSV UTF-8”.`,
  openQuote: (_, { row }) => `The ${row} has a quotation mark that is not closed.`,
  misplacedQuote: (_, { row }) => `The ${row} has a misplaced quotation mark. Write 5" cage as "5"" cage".`,
  cellCount: ({ value, expected }, { row }) => `The ${row} has ${value} cells, but the file has ${expected} columns.`,
  notJson: ({ value }, { row }) => `The ${row} is not valid JSON: ${value}.`,
  notObject: (_, { row }) => `The ${row} is not a JSON object.`,
  unknownField: ({ value }) => `“${value}” is not a known field.`,
  required: (fault, words) => `${subject(fault, words)} is required.`,
  wrongType: (fault, words) =>
    `${subject(fault, words)} must be ${fault.field === 'categoryId' ? 'a number' : 'a text'}, not ${fault.value}.`,
  empty: (fault, words) => `${subject(fault, words)} is required.`,
  tooLong: (fault, words) => `${subject(fault, words)} must have at most ${petLimits.nameMaxLength} characters.`,
  blank: (fault, words) => `${subject(fault, words)} must not be only spaces.`,
  unpairedSurrogate: (fault, words) => `${subject(fault, words)} ${notStorable}.`,
  notNumber: (fault, words) => `${subject(fault, words)} must be a number, not “${fault.value}”.`,
  fraction: (fault, words) =>
    `${subject(fault, words)} must be a whole number, not ${fault.value}.${withoutSeparators(fault.value)}`,
  numberFormat: (fault, words) =>
    `${subject(fault, words)} is ${fault.value}: the spreadsheet has shortened the number. Format the column as a number ` +
    'without decimals, check its digits, and save the file again.',
  outOfRange: (fault, words) => `${subject(fault, words)} has too many digits: ${fault.value}.`,
  unknownCategory: ({ value }) => `The store has no category “${value}”. Upper and lower case count.`,
  ambiguousCategory: ({ value }) => `Several categories are called “${value}”. Write the number.`,
  unknownStatus: (fault, words) => `${subject(fault, words)} must be ${statuses}, not “${fault.value}”.`,
};

/** The sentences for the faults of a line. */
export function faultText(faults: readonly Fault[], words: FileWords): string {
  return faults.map((fault) => (words.own?.[fault.code] ?? sentences[fault.code])(fault, words)).join(' ');
}

function subject({ field }: Fault, words: FileWords): string {
  return field === undefined ? `The ${words.row}` : words.field(field);
}

function withoutSeparators(value = ''): string {
  return hasSeparators(value) ? ` If you mean ${value.replaceAll(/\D/g, '')}, write it so.` : '';
}
