import { findRepeats } from '@petstore/import-export/find-repeats.js';
import type { OtherFormat } from '@petstore/import-export/other-format.js';
import type { StartSettings } from '@petstore/import-export/read-start.js';
import type { ReadSettings } from '@petstore/import-export/rows.js';
import { walkPets } from '../../shared/pet-queries.js';
import type { ImportFile } from './import-database.js';
import { reasonOf, type RowResult } from './import-rows.js';
import { type CheckedState, currentState, importWorker, type RunState, setState } from './import-state.js';
import {
  groupValues,
  rememberedFor,
  rememberMeaning,
  sameValue,
  type ValueGroup,
  type WrongValue,
} from './value-groups.js';

const saveAsCsv = 'Save it as “CSV UTF-8”, and choose that file. Or copy its cells, and paste them below.';
const notReadable = `This can't be read as a table. If it is a spreadsheet, open it. ${saveAsCsv}`;
const emptyFile = 'It is empty. Choose a file, or paste cells, with a row for each animal.';

const advice: Record<OtherFormat['kind'], string> = {
  spreadsheet: `Open it in your spreadsheet program. ${saveAsCsv}`,
  archive: 'Unpack it, and choose the file that is in it.',
  document: 'Ask for the list as a spreadsheet or as a CSV file.',
};

export async function chooseFile(name: string, content: Blob, isPasted = false): Promise<void> {
  try {
    const other = await importWorker().findOtherFormat(content);
    if (other) setState({ step: 'choose', error: `This is ${other.name}. ${advice[other.kind]}` });
    else await readStart(name, content, { isPasted });
  } catch {
    setState({ step: 'choose', error: notReadable });
  }
}

/** Reads the start of the file again, for example in another encoding. */
export async function readAgain({ name, content, settings }: ImportFile, change: StartSettings): Promise<void> {
  await readStart(name, content, { ...settings, ...change });
}

async function readStart(name: string, content: Blob, chosen: StartSettings): Promise<void> {
  const start = await importWorker().readStart(content, chosen);
  if (!start) return setState({ step: 'choose', error: content.size === 0 ? emptyFile : notReadable });
  const { encoding, hasHeader, columns, titleRows } = start;
  const settings = { encoding, hasHeader, columns, titleRows, isPasted: chosen.isPasted };
  setState({ step: 'match', file: { name, content, start, settings } });
}

export function matchColumns(file: ImportFile, columns = file.settings.columns): void {
  setState({ step: 'match', file: { ...file, settings: { ...file.settings, columns } } });
}

/** Nothing was stored or sent yet. */
export function startOver(): void {
  checking.abort();
  setState({ step: 'choose' });
}

export async function checkRows(chosen: ImportFile): Promise<void> {
  // Other columns have other values. The device remembers what they mean.
  const file = { ...chosen, settings: { ...chosen.settings, replacements: undefined } };
  setState({ step: 'checking', file });
  await check(file);
}

/** Checks the file again, with other cells in a row. */
export async function correctRow(checked: CheckedState, line: number, cells: readonly string[]): Promise<void> {
  await checkAgain(checked, { corrections: { ...checked.file.settings.corrections, [line]: cells } });
}

/** Checks the file again, with another meaning of a value in all rows. An empty one leaves the rows out. */
export async function replaceValue(checked: CheckedState, wrong: WrongValue, by: string): Promise<void> {
  rememberMeaning(wrong, by);
  const others = (checked.file.settings.replacements ?? []).filter((other) => !sameValue(other, wrong));
  await checkAgain(checked, { replacements: by === '' ? others : [...others, { ...wrong, by }] });
}

async function checkAgain(checked: CheckedState, change: ReadSettings): Promise<void> {
  const file = { ...checked.file, settings: { ...checked.file.settings, ...change } };
  // The next correction may come before the check has ended.
  setState({ ...checked, file, isChecking: true });
  await check(file, checked.values);
}

let checking = new AbortController();

async function check(file: ImportFile, values?: readonly ValueGroup[]): Promise<void> {
  checking.abort();
  checking = new AbortController();
  const { signal } = checking;
  // The person may have corrected another row, started over, or signed out.
  const isWanted = () => !signal.aborted && ['checking', 'checked'].includes(currentState().step);
  try {
    let result = await importWorker().check(file);
    let checkedFile = file;
    const groups = values ?? groupValues(result.invalid);
    const remembered = values ? [] : rememberedFor(groups, file.settings);
    if (remembered.length > 0) {
      checkedFile = { ...file, settings: { ...file.settings, replacements: remembered } };
      result = await importWorker().check(checkedFile);
    }
    const read = (categoryId: readonly bigint[]) => walkPets({ categoryId, signal });
    const repeats = await findRepeats(result.animals, read).catch((error: Error) => error);
    if (isWanted()) setState({ step: 'checked', file: checkedFile, values: groups, ...result, repeats });
  } catch {
    // The file was moved or changed after it was chosen.
    if (isWanted()) setState({ step: 'choose', error: notReadable });
  }
}

/** The rows that an import has refused become the file of the next one. */
export async function correctRefused({ file, rows }: RunState): Promise<void> {
  const content = await refusedFile(file, rows);
  const { hasHeader, columns = [], categories, hasLooseNames } = file.settings;
  const start = await importWorker().readStart(content, { hasHeader });
  if (!start) return;
  // The last two columns are the line and the reason.
  const settings = { hasHeader, columns: [...columns, undefined, undefined], categories, hasLooseNames };
  await checkRows({ name: file.name, content, start, settings });
}

/** A file of the rows that were refused, with the reasons. */
export function refusedFile(file: ImportFile, rows: readonly RowResult[]): Promise<Blob> {
  const refused = rows.filter(({ state }) => state === 'invalid' || state === 'rejected');
  return importWorker().refusedRows(file, new Map(refused.map((row) => [row.line, reasonOf(row) ?? ''])));
}
