const intervalMs = 5000;

/** Logs how much of a table is done, every 5 seconds. */
export class Progress {
  private bytes = 0;
  private loggedAt = performance.now();

  constructor(
    private readonly title: string,
    private readonly log: (message: string) => void,
  ) {}

  add(bytes: number): void {
    this.bytes += bytes;
    if (performance.now() - this.loggedAt < intervalMs) return;
    this.loggedAt = performance.now();
    this.log(`${this.title}: ${Math.round(this.bytes / 1e6)} MB so far`);
  }
}
