/** Begins with a byte order mark: without one, spreadsheets do not read the file as UTF-8. */
export function csvFile(parts: readonly BlobPart[]): Blob {
  return new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' });
}
