import { printable, stringifyJson } from '@petstore/contracts';
import type { CheckedFile, InvalidLine } from '@petstore/import-export/check-file.js';
import { faultText, type FileWords } from '@petstore/import-export/faults.js';
import type { ImportResult, Outcome } from '@petstore/import-export/import-options.js';
import { exitCodes } from '../errors.js';
import { colored } from '../output.js';
import type { ProgressBar } from '../progress-bar.js';

const noLines = { created: 0, createdEarlier: 0, skipped: 0, rejected: 0, unknown: 0, interrupted: 0 };
/** The result of an import whose file was only checked. */
export const notRun: ImportResult = { ...noLines, isComplete: false, failure: undefined };

const listOf = (columns: readonly string[] = []) => columns.map((column) => `"${column.slice(0, 80)}"`).join(', ');

/** The sentences about a file, with the flags of the command. */
const fileWords: FileWords = {
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

/** Prints each line that was not created at once, and the summary at the end. */
export class ImportReport {
  private progress: ProgressBar | undefined;
  /** The lowest and the highest id of this run's animals. */
  private ids: [bigint, bigint] | undefined;

  /** The earlier import of this file, if this run has created nothing. */
  private earlier: { finishedAt: Date; journal: string } | undefined;

  constructor(
    private readonly file: string,
    private readonly isJson: boolean,
  ) {}

  showIn(progress: ProgressBar): void {
    this.progress = progress;
  }

  importedBefore(finishedAt: Date, journal: string): void {
    this.earlier = { finishedAt, journal };
  }

  /** Prints a line for people. */
  note(text: string): void {
    if (this.progress) this.progress.print(text);
    else console.error(text);
  }

  invalid({ line, faults }: InvalidLine): void {
    const reason = faultText(faults, fileWords);
    if (this.isJson) this.printJson({ type: 'line', line, state: 'invalid', reason, faults });
    else this.print({ line, state: 'invalid', reason });
  }

  outcome(outcome: Outcome): void {
    const isEarlier = 'isEarlier' in outcome && outcome.isEarlier;
    this.progress?.advance(1, isEarlier);
    if (outcome.state === 'skipped') {
      if (this.isJson) this.printJson({ type: 'line', ...outcome });
      return;
    }
    if (outcome.state !== 'created') {
      this.print(outcome);
      return;
    }
    const { line, state, petId } = outcome;
    if (!isEarlier) {
      const [lowest, highest] = this.ids ?? [petId, petId];
      this.ids = [petId < lowest ? petId : lowest, petId > highest ? petId : highest];
    }
    if (this.isJson) this.printJson({ type: 'line', line, state, id: petId, ...(isEarlier && { isEarlier }) });
  }

  /** Prints the summary and returns the exit code. */
  finish({ invalid, valid }: CheckedFile, result: ImportResult): number {
    this.progress?.stop();
    const { created, createdEarlier, skipped, rejected, unknown, interrupted, isComplete } = result;
    const counts = { created, createdEarlier, skipped, invalid, rejected, unknown, interrupted };
    const earlier = this.earlier && { importedBefore: this.earlier.finishedAt, journal: this.earlier.journal };
    if (this.isJson) this.printJson({ type: 'summary', file: this.file, ...counts, isComplete, ...earlier });
    else console.log(this.summary(valid, invalid, result));
    if (invalid + rejected + unknown > 0) return exitCodes.refusedLines;
    return earlier ? exitCodes.importedBefore : exitCodes.ok;
  }

  private summary(valid: number, invalid: number, result: ImportResult): string {
    const { created, createdEarlier, skipped, rejected, unknown, interrupted } = result;
    const ids = this.ids ? ` (ids ${this.ids[0]} to ${this.ids[1]})` : '';
    const before = this.earlier && `Imported before, on ${localTime(this.earlier.finishedAt)}; nothing created.`;
    const head =
      result === notRun
        ? `Valid lines: ${number(valid)}. Nothing was created.`
        : (before ?? `Created: ${number(created)}${ids}`);
    const counts: [string, number][] = [
      ['Created by earlier runs', createdEarlier],
      ['Already in the store, skipped', skipped],
      ['Invalid lines', invalid],
      ['Rejected by the service', rejected],
      ['Unknown, never sent again; compare these lines with the store', unknown],
      ['Without a result', interrupted],
    ];
    const others = counts.filter(([, count]) => count > 0).map(([label, count]) => `${label}: ${number(count)}`);
    const again = this.earlier ? [`To import it once more, use --again. The journal is ${this.earlier.journal}.`] : [];
    return [head, ...others, ...again].join('\n');
  }

  private print(refused: { line: number; state: string; reason: string }): void {
    const { line, state, reason } = refused;
    if (this.isJson) this.printJson({ type: 'line', ...refused });
    else this.note(`Line ${line}: ${colored('yellow', state)}: ${printable(reason)}`);
  }

  private printJson(value: object): void {
    process.stdout.write(`${stringifyJson(value)}\n`);
  }
}

/** Such as `2026-11-25 14:02`. */
function localTime(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
