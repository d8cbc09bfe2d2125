import { type Pet, printable, textTable } from '@petstore/contracts';
import { styleText } from 'node:util';

type Color = Parameters<typeof styleText>[0];

/** Whether people see this stream: then it may have colors and a progress bar. */
export function isTerminal(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env['TERM'] !== 'dumb';
}

/** Colors a text for standard error, if that is a terminal. */
export function colored(color: Color, text: string): string {
  const hasColors = isTerminal(process.stderr) && !process.env['NO_COLOR'];
  return hasColors ? styleText(color, text) : text;
}

/** The columns of a table, in this order. A new field does not compile until it is here. */
const columns: Record<keyof Pet, string> = { id: 'ID', status: 'STATUS', categoryId: 'CATEGORY', name: 'NAME' };

/** A table with one animal per line. */
export function petTable(pets: readonly Pet[]): string {
  const fields = Object.keys(columns) as (keyof Pet)[];
  const rows = pets.map((pet) => fields.map((field) => printable(String(pet[field] ?? ''))));
  return textTable([fields.map((field) => columns[field]), ...rows]);
}
