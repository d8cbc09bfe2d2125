import { fstatSync } from 'node:fs';

/** The priorities of syslog, by the levels of pino. */
const priorities: Readonly<Record<string, number>> = { '60': 2, '50': 3, '40': 4, '30': 6 };
const debug = 7;

/**
 * Returns a function that writes a JSON line with its priority, as `<4>`, in front of what `format` makes of it. journald
 * removes it, and `journalctl -p warning` finds the line. Does nothing if the descriptor is not the journal.
 */
export function withPriority(fd: number, format: (line: string) => string): (line: string) => string {
  if (!isJournal(fd)) return format;
  return (line) => `<${priorities[/^\{"level":(\d+)/.exec(line)?.[1] ?? ''] ?? debug}>${format(line)}`;
}

/** systemd names the journal in JOURNAL_STREAM. A child process inherits the variable, perhaps with another output. */
function isJournal(fd: number): boolean {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return process.env['JOURNAL_STREAM'] === `${dev}:${ino}`;
}
