import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { stopWorker, untilEnded, untilReady } from './worker-life.js';

/** A worker that ends sooner has probably failed to start. */
const minLifeMs = 10_000;
const maxDelayMs = 30_000;

/** Processes of one program that share a port. A process that ends is replaced, after a delay if it had just started. */
export class Workers {
  private shortLives = 0;
  private isStopping = false;

  constructor(
    private readonly program: string,
    private readonly count: number,
    private readonly logger: Logger,
  ) {}

  /**
   * Starts the first worker alone: it prepares what the others need, and reports a faulty configuration once.
   * @throws ReportedFailure if the first worker ends before it is ready.
   */
  async start(): Promise<void> {
    cluster.setupPrimary({ exec: this.program, args: [] });
    const first = cluster.fork();
    await untilReady(first);
    this.watch(first);
    for (let started = 1; started < this.count; started += 1) this.watch(cluster.fork());
  }

  /** Lets the workers complete their requests. Kills those that do not exit in time. */
  async stop(graceMs: number): Promise<void> {
    this.isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map((worker) => stopWorker(worker, graceMs)));
  }

  private watch(worker: Worker): void {
    const start = performance.now();
    void untilEnded(worker).then((reason) => this.replace(worker, reason, performance.now() - start));
  }

  private replace({ process: { pid } }: Worker, reason: string, lifeMs: number): void {
    if (this.isStopping) return;
    this.shortLives = lifeMs < minLifeMs ? this.shortLives + 1 : 0;
    const delayMs = this.shortLives === 0 ? 0 : Math.min(maxDelayMs, 500 * 2 ** this.shortLives);
    this.logger.error({ pid, reason }, `A process ended. Another one starts in ${delayMs} ms.`);
    const start = () => {
      if (!this.isStopping) this.watch(cluster.fork());
    };
    setTimeout(start, delayMs);
  }
}
