/** Spreadsheets run a cell that starts with one of these as a formula. `'` is here because it is the prefix. */
const risky = /^['=+\-@\t\r]/;
const prefixed = /^'['=+\-@\t\r]/;

/** Adds the prefix `'` to a name that a spreadsheet could run as a formula. */
export function addFormulaPrefix(name: string): string {
  return risky.test(name) ? `'${name}` : name;
}

/** Removes the prefix from exactly the names that `addFormulaPrefix` creates. */
export function removeFormulaPrefix(cell: string): string {
  return prefixed.test(cell) ? cell.slice(1) : cell;
}
