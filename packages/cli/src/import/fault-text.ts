import type { FileWords } from '@petstore/import-export/fault-text.js';

const listOf = (columns: readonly string[] = []) => columns.map((column) => `"${column.slice(0, 80)}"`).join(', ');

/** The sentences about a file, with the flags of the command. */
export const fileWords: FileWords = {
  row: 'line',
  field: (field) => `\`${field}\``,
  own: {
    jsonArray: () => 'The file is a JSON array. Save it as NDJSON, with one object per line.',
    unknownColumns: ({ value, columns = [] }) =>
      `\`${value}\` is not a known column. The file has the columns ${listOf(columns)}. Choose with --columns, such as ` +
      `--columns name=${columns[0]},categoryId=${columns[1] ?? columns[0]}, and ignore the rest with --ignore-other-columns.`,
    missingColumn: ({ field, columns }) =>
      `The column \`${field}\` is missing. The file has the columns ${listOf(columns)}. Choose with --columns.`,
    undecodable: () =>
      'The line is not text in the encoding of the file. Choose the right one with --encoding, or save the file in UTF-8.',
    notNumber: ({ field, value }) =>
      `\`${field}\` must be a number, not “${value}”. The store has no names of categories, or the API key cannot read them.`,
  },
};
