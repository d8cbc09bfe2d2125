import { printable, stringifyJson } from '@petstore/contracts';
import type { RefusedRow } from '@petstore/import-export/check-rows.js';
import type { Comparison } from '@petstore/import-export/compare.js';
import { faultText, type FileWords } from '@petstore/import-export/faults.js';
import type { Outcome } from '@petstore/import-export/send-animals.js';
import { exitCodes } from '../errors.js';
import { colored, printLine } from '../output.js';
import { ProgressBar } from '../progress-bar.js';

/** The sentences about a row, with the flags of the command. */
const fileWords: FileWords = {
  field: (field) => `\`${field}\``,
  own: {
    undecodable: ({ subject }) =>
      `${subject} is not text in the encoding of the file. Choose the right one with --encoding, or save the file in UTF-8.`,
    notNumber: ({ subject, value }) => `${subject} must be a number, not “${value}”. No names of categories are known.`,
  },
};

/** Prints at once each row that was not created, and the summary at the end. */
export class ImportReport {
  private progress: ProgressBar | undefined;
  private valid = 0;
  private readonly counts = { created: 0, skipped: 0, invalid: 0, rejected: 0 };
  private comparison: { existing: number; repeated: number } | undefined;
  /** The lowest and the highest id of this run's animals. */
  private ids: [bigint, bigint] | undefined;

  constructor(
    private readonly file: string,
    private readonly isJson: boolean,
  ) {}

  showProgress(label: string, total?: number): ProgressBar {
    this.progress = new ProgressBar(label, total);
    return this.progress;
  }

  checked(valid: number, refused: readonly RefusedRow[]): void {
    this.valid = valid;
    this.counts.invalid = refused.length;
    for (const { row, faults } of refused) this.refused(row, 'invalid', faultText(faults, fileWords), { faults });
  }

  compared({ existing, repeated }: Comparison): void {
    this.comparison = { existing: existing.length, repeated: repeated.length };
  }

  existing(rows: Comparison['existing']): void {
    for (const { row, petId } of rows) this.printJson({ type: 'row', row, state: 'existing', id: petId });
  }

  skipped(rows: ReadonlySet<number>): void {
    this.counts.skipped = rows.size;
    for (const row of rows) this.printJson({ type: 'row', row, state: 'skipped' });
  }

  outcome(outcome: Outcome): void {
    const { row, state } = outcome;
    this.progress?.advance(1);
    this.counts[state] += 1;
    if (state === 'rejected') return this.refused(row, state, outcome.reason);
    const { petId } = outcome;
    const [lowest, highest] = this.ids ?? [petId, petId];
    this.ids = [petId < lowest ? petId : lowest, petId > highest ? petId : highest];
    this.printJson({ type: 'row', row, state, id: petId });
  }

  /** Prints the summary and returns the exit code of a complete import. */
  finish({ wasSent = false, isComplete = false } = {}): number {
    this.progress?.stop();
    const { created, skipped, invalid, rejected } = this.counts;
    const remaining = this.valid - created - skipped - rejected;
    const counts = { created, skipped, ...this.comparison, invalid, rejected, remaining };
    this.printJson({ type: 'summary', file: this.file, ...counts, isComplete });
    if (!this.isJson) console.log(this.summary(wasSent, remaining));
    return invalid + rejected > 0 ? exitCodes.refused : exitCodes.ok;
  }

  private summary(wasSent: boolean, remaining: number): string {
    const { created, skipped, invalid, rejected } = this.counts;
    const ids = this.ids ? ` (ids ${this.ids[0]} to ${this.ids[1]})` : '';
    const head = wasSent
      ? `Created: ${number(created)}${ids}`
      : `Valid rows: ${number(this.valid)}. Nothing was created.`;
    const { existing = 0, repeated = 0 } = this.comparison ?? {};
    const counts: [string, number][] = [
      ['Already in the store', existing - skipped],
      ['Already in the store, skipped', skipped],
      ['Repeated in the file, not skipped', repeated],
      ['Invalid rows', invalid],
      ['Rejected by the service', rejected],
      ['Remaining', wasSent ? remaining : 0],
    ];
    return [head, ...counts.flatMap(([label, count]) => (count > 0 ? [`${label}: ${number(count)}`] : []))].join('\n');
  }

  private refused(row: number, state: string, reason: string, details?: object): void {
    this.printJson({ type: 'row', row, state, reason, ...details });
    if (!this.isJson) printLine(`Row ${row}: ${colored('yellow', state)}: ${printable(reason)}`);
  }

  private printJson(value: object): void {
    if (this.isJson) process.stdout.write(`${stringifyJson(value)}\n`);
  }
}

function number(value: number): string {
  return value.toLocaleString('en');
}
