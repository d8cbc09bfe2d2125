/** Saves a file on the device. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser reads the content after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Begins with a byte order mark: without one, spreadsheets do not read the file as UTF-8. */
export function csvFile(parts: readonly BlobPart[]): Blob {
  return new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' });
}
