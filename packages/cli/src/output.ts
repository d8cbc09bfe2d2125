import { type Pet, petFields, printable, textTable } from '@petstore/contracts';
import { styleText } from 'node:util';

type Color = Parameters<typeof styleText>[0];

/** Whether people see this stream: then it may have colors and a progress bar. */
export function isTerminal(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env['TERM'] !== 'dumb';
}

/** Erases the progress bar, which is in the last line of the terminal. */
export function eraseLine(): string {
  return isTerminal(process.stderr) ? '\r\u001b[2K' : '';
}

/** Prints a line for people to standard error, above the progress bar if there is one. */
export function printLine(text: string): void {
  process.stderr.write(`${eraseLine()}${text}\n`);
}

/** Colors a text for standard error, if that is a terminal. */
export function colored(color: Color, text: string): string {
  const hasColors = isTerminal(process.stderr) && !process.env['NO_COLOR'];
  return hasColors ? styleText(color, text) : text;
}

/** The columns of a table, in this order. The name is last, because it may be long. */
const columns = [...new Set<keyof Pet>(['id', 'status', ...petFields.filter((field) => field !== 'name'), 'name'])];

/** `CATEGORY` for `categoryId`. */
const headingOf = (column: string) => column.replace(/Id$/, '').toUpperCase();

/** A table with one animal per line. */
export function petTable(pets: readonly Pet[]): string {
  const rows = pets.map((pet) => columns.map((column) => printable(String(pet[column] ?? ''))));
  return textTable([columns.map(headingOf), ...rows]);
}
