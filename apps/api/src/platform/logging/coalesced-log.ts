const intervalMs = 1000;

/** Logs the first of repeated events at once, then at most one line per second with their number. */
export class CoalescedLog<Event = void> {
  private count = 0;
  private latest: Event | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** `write` gets the number of events since the last line, and the latest of them. */
  constructor(private readonly write: (count: number, latest: Event) => void) {}

  add(event: Event): void {
    this.count += 1;
    this.latest = event;
    if (this.timer) return;
    this.timer = setInterval(() => this.flush(), intervalMs).unref();
    this.flush();
  }

  /** Logs the events since the last line. */
  flush(): void {
    const { count, latest } = this;
    if (count === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    this.count = 0;
    this.latest = undefined;
    this.write(count, latest as Event);
  }
}
