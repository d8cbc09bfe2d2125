import { int64Rule, petNameFaults, petStatuses } from '@petstore/contracts';
import type { Fault, FaultCode } from '@petstore/import-export/faults.js';

/** The sentence for each fault of a file. A new code does not compile until it is here. */
const sentences: Record<FaultCode, (fault: Fault) => string> = {
  emptyFile: () => 'The file is empty.',
  jsonArray: () => 'The file is a JSON array. Save it as NDJSON, with one object per line.',
  unknownColumns: ({ value, columns = [] }) =>
    `\`${value}\` is not a known column. The file has the columns ${listOf(columns)}. Choose with --columns, such as ` +
    `--columns name=${columns[0]},categoryId=${columns[1] ?? columns[0]}, and ignore the rest with --ignore-other-columns.`,
  repeatedColumn: ({ field }) => `The column \`${field}\` occurs more than once.`,
  missingColumn: ({ field, columns = [] }) =>
    `The column \`${field}\` is missing. The file has the columns ${listOf(columns)}. Choose with --columns.`,
  longLine: () => 'The line is longer than 65536 bytes.',
  nul: ({ field }) =>
    field
      ? `\`${field}\` ${petNameFaults.nul}.`
      : 'The line contains a NUL character. Save the file as CSV or NDJSON in UTF-8.',
  undecodable: () =>
    'The line is not text in the encoding of the file. Choose the right one with --encoding, or save the file in UTF-8.',
  openQuote: () => 'The line has a quote that is not closed.',
  misplacedQuote: () => 'The line has a misplaced quote.',
  cellCount: ({ value, expected }) => `The line has ${value} cells, but the file has ${expected} columns.`,
  notJson: ({ value }) => `The line is not valid JSON: ${value}.`,
  notObject: () => 'The line is not a JSON object.',
  unknownField: ({ value }) => `\`${value}\` is not a known field.`,
  required: ({ field }) => `\`${field}\` is required.`,
  wrongType: ({ field, value }) =>
    `\`${field}\` must be ${field === 'name' ? 'a string' : 'an integer'}, not ${value}.`,
  empty: ({ field }) => `\`${field}\` ${petNameFaults.empty}.`,
  tooLong: ({ field }) => `\`${field}\` ${petNameFaults.tooLong}.`,
  blank: ({ field }) => `\`${field}\` ${petNameFaults.blank}.`,
  unpairedSurrogate: ({ field }) => `\`${field}\` ${petNameFaults.unpairedSurrogate}.`,
  notNumber: ({ field, value }) =>
    `\`${field}\` must be a number, not "${value}". The store has no names of categories, or the API key cannot read them.`,
  fraction: ({ field, value }) => `\`${field}\` must be a whole number, not ${value}.`,
  numberFormat: ({ field, value }) =>
    `\`${field}\` is ${value}: the number format of the spreadsheet has shortened it. Format the column as a number without ` +
    'decimals, check its digits, and save the file again.',
  outOfRange: ({ field, value }) => `\`${field}\` ${int64Rule}, not ${value}.`,
  unknownCategory: ({ value }) => `No category has the name "${value}". Upper and lower case count.`,
  ambiguousCategory: ({ value }) => `Several categories have the name "${value}". Write the number.`,
  unknownStatus: ({ field, value }) => `\`${field}\` must be one of: ${petStatuses.join(', ')}, not ${value}.`,
};

/** The sentences for the faults of a line. */
export function faultText(faults: readonly Fault[]): string {
  return faults.map((fault) => sentences[fault.code](fault)).join(' ');
}

function listOf(columns: readonly string[]): string {
  return columns.map((column) => `"${column.slice(0, 80)}"`).join(', ');
}
