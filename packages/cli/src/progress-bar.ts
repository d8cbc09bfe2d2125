import { eraseLine, isTerminal } from './output.js';

const redrawMs = 100;
const barWidth = 24;

/** A progress bar on standard error, if that is a terminal. `printLine` prints above it. */
export class ProgressBar {
  private readonly isVisible = isTerminal(process.stderr);
  private readonly begin = performance.now();
  private drawnAt = Number.NEGATIVE_INFINITY;
  done = 0;

  constructor(
    private readonly label: string,
    /** 0 if it is not known. */
    public total = 0,
  ) {}

  advance(count: number): void {
    this.done += count;
    if (!this.isVisible || performance.now() - this.drawnAt < redrawMs) return;
    this.drawnAt = performance.now();
    process.stderr.write(`${eraseLine()}${this.line((process.stderr.columns || 80) - 1)}`);
  }

  stop(): void {
    process.stderr.write(eraseLine());
  }

  /** A narrow terminal cuts the bar first. */
  private line(columns: number): string {
    const { label, total, done } = this;
    const perSecond = done / ((performance.now() - this.begin) / 1000);
    const counts = [done, ...(total === 0 ? [] : [total])].map((count) => count.toLocaleString('en')).join(' of ');
    const rate = `${label} ${counts}, ${Math.round(perSecond).toLocaleString('en')}/s`;
    if (total === 0) return rate.slice(0, columns);
    const left = perSecond > 0 ? `, ${duration((total - done) / perSecond)} left` : '';
    const bar = '#'.repeat(Math.round(Math.min(1, done / total) * barWidth)).padEnd(barWidth, '-');
    return `${rate}${left} [${bar}]`.slice(0, columns);
  }
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
}
