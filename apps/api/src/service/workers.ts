import cluster, { type Worker } from 'node:cluster';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '@petstore/contracts';
import type { Logger } from 'pino';
import { ReportedFailure } from '../platform/errors/startup-error.js';
import { packageFolder, type StopRequests } from '../platform/process.js';
import type { ServeOptions } from './serve-app.js';

/** A worker sends it when it serves requests. */
export const readyMessage = 'ready';
/** A worker that receives it completes its requests, then exits. */
export const stopMessage = 'stop';
export const skipDelayMessage = 'skip-delay';
/** The argument of the worker that creates the first keys and prints the addresses. */
export const firstArgument = '--first';

/** Serves with the processes of WEB_CONCURRENCY behind one port until a request to stop. Each runs worker.ts. */
export async function serveWithWorkers(options: ServeOptions, stop: StopRequests): Promise<void> {
  const { config, logger } = options;
  const workers = new Workers(join(packageFolder, 'dist/worker.js'), config.webConcurrency, logger);
  const metricsServer = await startMetricsServer(options);
  void stop.first.then(() => workers.startNoMore());
  await workers.start();
  await stop.first;
  const stopped = workers.stop(config.shutdownDelayMs + config.shutdownGraceMs);
  if (await stop.delay(config.shutdownDelayMs)) workers.skipDelay();
  await stopped;
  metricsServer?.close();
}

async function startMetricsServer({
  config: { metricsHost: host, metricsPort: port },
  backups,
  database,
}: ServeOptions): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  // Loaded only if it is used: prom-client takes 2 MB, and this process serves no requests.
  const { serveWorkerMetrics } = await import('../platform/metrics/metrics-server.js');
  return serveWorkerMetrics({ host, port }, { backups, dataDirectory: database.directory });
}

/** A worker that ends sooner has probably failed to start. */
const minLifeMs = 10_000;
const maxDelayMs = 30_000;

/** Processes of one program that share a port. A process that ends is replaced, after a delay if it had just started. */
class Workers {
  private shortLives = 0;
  private readonly stopping = new AbortController();
  private skipsDelay = false;

  constructor(
    private readonly program: string,
    private readonly count: number,
    private readonly logger: Logger,
  ) {}

  /**
   * Starts the first worker alone: it prepares what the others need, and reports a faulty configuration once.
   * @throws ReportedFailure if it exits before it is ready.
   */
  async start(): Promise<void> {
    cluster.setupPrimary({ exec: this.program, args: [firstArgument] });
    const first = await this.startFirst();
    if (first) this.watch(first);
    cluster.setupPrimary({ args: [] });
    for (let started = 1; started < this.count && !this.isStopping; started += 1) this.watch(this.fork());
  }

  startNoMore(): void {
    this.stopping.abort();
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** If a signal ended the worker, for example because memory is short, the next attempt may succeed. `undefined`: stopped. */
  private async startFirst(): Promise<Worker | undefined> {
    while (!this.isStopping) {
      const start = performance.now();
      const worker = this.fork();
      const signal = await untilReady(worker);
      if (signal === undefined || this.isStopping) return worker;
      const delayMs = this.delayAfter(worker, signal, performance.now() - start);
      await sleep(delayMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
    return undefined;
  }

  /** Lets the workers complete their requests. Kills those that do not exit in time. */
  async stop(timeMs: number): Promise<void> {
    this.startNoMore();
    await Promise.all(runningWorkers().map((worker) => stopWorker(worker, timeMs)));
  }

  skipDelay(): void {
    this.skipsDelay = true;
    for (const worker of runningWorkers()) send(worker, skipDelayMessage);
  }

  private fork(): Worker {
    const worker = cluster.fork();
    closeUnconfirmed(worker);
    worker.on('message', (message) => {
      if (message !== readyMessage || !this.isStopping) return;
      // A worker that was still loading may have missed the messages.
      send(worker, stopMessage);
      if (this.skipsDelay) send(worker, skipDelayMessage);
    });
    return worker;
  }

  private watch(worker: Worker): void {
    const start = performance.now();
    void untilEnded(worker).then((reason) => this.replace(worker, reason, performance.now() - start));
  }

  private replace(worker: Worker, reason: string, lifeMs: number): void {
    if (this.isStopping) return;
    const start = () => {
      if (!this.isStopping) this.watch(this.fork());
    };
    setTimeout(start, this.delayAfter(worker, reason, lifeMs));
  }

  /** Logs the end of a worker. Returns after how many milliseconds the next one starts. */
  private delayAfter({ process: { pid } }: Worker, reason: string, lifeMs: number): number {
    this.shortLives = lifeMs < minLifeMs ? this.shortLives + 1 : 0;
    const delayMs = this.shortLives === 0 ? 0 : Math.min(maxDelayMs, 500 * 2 ** this.shortLives);
    this.logger.error({ pid, reason }, `A process ended. Another one starts in ${delayMs} ms.`);
    return delayMs;
  }
}

/**
 * Node passes each connection to a worker, and closes its own copy when the worker has confirmed it. If a worker is killed
 * before, the copy would stay open, and its client would wait without end.
 */
function closeUnconfirmed({ process: child }: Worker): void {
  let latest: { close(): void } | undefined;
  const sendOn = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [, handle] = args;
    // Node passes the next connection only after this one is confirmed.
    if (typeof handle === 'object' && handle !== null && 'close' in handle) latest = handle as typeof latest;
    return sendOn(...args);
  };
  child.once('exit', () => latest?.close());
}

/** How much longer than the delay and the grace period a worker may take to exit. */
const exitMs = 5000;

/** Resolves to the reason. */
function untilEnded(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal || `exit code ${code}`));
    // A process that could not be created does not exit.
    worker.once('error', (error) => resolve(error.message));
  });
}

/**
 * Resolves when the worker serves requests or has stopped: to the signal if one killed it.
 * @throws ReportedFailure if it exits with an error before.
 */
async function untilReady(worker: Worker): Promise<NodeJS.Signals | undefined> {
  const ready = new Promise<undefined>((resolve) => {
    worker.on('message', (message) => {
      if (message === readyMessage) resolve(undefined);
    });
  });
  const ended = untilEnded(worker).then((reason) => {
    const { exitCode, signalCode } = worker.process;
    if (signalCode || exitCode === 0) return signalCode ?? undefined;
    throw exitCode ? new ReportedFailure(exitCode) : new ExplainedError(`A process could not start: ${reason}.`);
  });
  const signal = await Promise.race([ready, ended]);
  // It may end later.
  ended.catch(() => undefined);
  return signal;
}

function runningWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/** Resolves when the worker has exited. */
async function stopWorker(worker: Worker, timeMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = untilEnded(worker);
  const killing = setTimeout(() => worker.process.kill('SIGKILL'), timeMs + exitMs);
  send(worker, stopMessage);
  await ended;
  clearTimeout(killing);
}

function send(worker: Worker, message: string): void {
  // It may have ended in the meantime.
  worker.send(message, () => undefined);
}
