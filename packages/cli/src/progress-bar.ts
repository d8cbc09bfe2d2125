import { isTerminal } from './output.js';

const redrawMs = 100;
const barWidth = 24;

/** A progress bar on standard error, if that is a terminal. Other lines go through `print`, which keeps them above it. */
export class ProgressBar {
  private readonly isVisible = isTerminal(process.stderr);
  private readonly begin = performance.now();
  private drawnAt = Number.NEGATIVE_INFINITY;
  done = 0;
  /** Done before this run, which must not count as its speed. */
  private earlier = 0;

  constructor(
    private readonly label: string,
    /** 0 if it is not known. */
    private readonly total: number,
  ) {}

  advance(count: number, isEarlier = false): void {
    this.done += count;
    if (isEarlier) this.earlier += count;
    if (!this.isVisible || performance.now() - this.drawnAt < redrawMs) return;
    this.drawnAt = performance.now();
    process.stderr.write(`\r\u001b[2K${this.line((process.stderr.columns || 80) - 1)}`);
  }

  /** Writes a line to standard error. */
  print(text: string): void {
    process.stderr.write(`${this.erase()}${text}\n`);
    this.drawnAt = Number.NEGATIVE_INFINITY;
  }

  stop(): void {
    process.stderr.write(this.erase());
  }

  private erase(): string {
    return this.isVisible ? '\r\u001b[2K' : '';
  }

  /** Such as `1,200 of 50,000 done`. */
  counts(): string {
    const total = this.total === 0 ? '' : ` of ${this.total.toLocaleString('en')}`;
    return `${this.done.toLocaleString('en')}${total} done`;
  }

  /** In a narrow terminal, the less important parts are left out. */
  private line(columns: number): string {
    const { label, total } = this;
    const share = Math.min(1, this.done / total);
    const perSecond = (this.done - this.earlier) / ((performance.now() - this.begin) / 1000);
    const counts = this.counts().replace(/ done$/, '');
    const rate = `${counts}, ${Math.round(perSecond).toLocaleString('en')}/s`;
    const left = perSecond > 0 && total > 0 ? `, ${duration((total - this.done) / perSecond)} left` : '';
    const bar = total > 0 ? `[${'#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '-')}] ` : '';
    const lines = [
      `${label} ${bar}${rate}${left}`,
      `${label} ${rate}${left}`,
      `${label} ${rate}`,
      `${label} ${counts}`,
    ];
    return [...lines, counts].find(({ length }) => length <= columns) ?? (bar && `${Math.floor(share * 100)} %`);
  }
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
}
