/**
 * Spreadsheets run a cell that starts with one of these as a formula; `'` is here because it is the prefix. Some also read
 * the fullwidth characters like the plain ones.
 */
const risky = /^['=+\-@\t\r\n＝＋－＠]/;

/** Adds the prefix `'` to a text of a CSV file that a spreadsheet could run as a formula. */
export function addFormulaPrefix(text: string): string {
  return risky.test(text) ? `'${text}` : text;
}

/** Removes the prefix from exactly the texts that `addFormulaPrefix` creates. */
export function removeFormulaPrefix(cell: string): string {
  return cell.startsWith("'") && risky.test(cell.slice(1)) ? cell.slice(1) : cell;
}
