import type { Pet } from '@petstore/contracts';
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

/** A table with one animal per line. */
export function petTable(pets: readonly Pet[]): string {
  const rows = pets.map(({ id, status, categoryId, name }) => [
    String(id),
    status,
    String(categoryId),
    printable(name),
  ]);
  const table = [['ID', 'STATUS', 'CATEGORY', 'NAME'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

/** Escapes line breaks, and characters that could control the terminal or reverse the text. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}
