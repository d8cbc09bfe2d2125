import type { ColumnChoice } from './csv-header.js';
import { CsvRows } from './csv-rows.js';
import { type Line, LineSplitter } from './lines.js';
import { NdjsonRows } from './ndjson-rows.js';
import type { Row } from './pet-columns.js';
import type { Source } from './source.js';

/** Reads the animals of a CSV or NDJSON file. Detects the format by the first line. Memory does not grow with the file. */
export async function* readRows(source: Source, choice?: ColumnChoice): AsyncGenerator<Row, void> {
  const reader = new RowReader(choice);
  for await (const chunk of source()) for (const row of reader.push(chunk)) yield row;
  for (const row of reader.end()) yield row;
}

class RowReader {
  private readonly splitter = new LineSplitter();
  private format: CsvRows | NdjsonRows | undefined;

  constructor(private readonly choice: ColumnChoice | undefined) {}

  *push(chunk: Uint8Array): Generator<Row, void> {
    for (const line of this.splitter.push(chunk)) yield* this.readLine(line);
  }

  *end(): Generator<Row, void> {
    for (const line of this.splitter.end()) yield* this.readLine(line);
    if (this.format) yield* this.format.end();
    else yield { line: 1, fault: 'The file is empty.' };
  }

  private *readLine(line: Line): Generator<Row, void> {
    const isBlank = line.fault === undefined && line.text.trim() === '';
    if (!this.format && isBlank) return;
    this.format ??= line.text.trimStart().startsWith('{') ? new NdjsonRows() : new CsvRows(this.choice);
    yield* this.format.push(line);
  }
}
