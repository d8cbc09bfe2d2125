import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client';
import { outputOf } from '../logging/logger.js';
import { productVersion } from '../product.js';

/** The database connections, as `DatabasePool` provides them. */
interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
  /** Rejects when the database does not respond. */
  ping(): Promise<void>;
}

/**
 * All metrics of this process. Names and units follow https://prometheus.io/docs/practices/naming/. Every label has few
 * values: never label with what a client chooses.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly queues: { statement: string; length: () => number }[] = [];

  readonly requests = this.counter(
    'petstore_http_requests_total',
    'Requests by operation and status. The status is "aborted" if the client disconnected before the response.',
    ['operation', 'status'],
  );

  readonly requestDuration = new Histogram({
    name: 'petstore_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: this.registers,
  });

  readonly shedRequests = this.counter(
    'petstore_http_requests_shed_total',
    'Requests rejected with 503 because the maximum was in progress.',
  );

  readonly rateLimitedRequests = this.counter(
    'petstore_http_requests_rate_limited_total',
    'Requests rejected with 429 because their API key exceeded RATE_LIMIT_PER_MINUTE.',
  );

  readonly deprecatedRequests = this.counter(
    'petstore_http_deprecated_requests_total',
    'Requests to deprecated operations by the id of their API key.',
    ['operation', 'api_key_id'],
  );

  readonly authenticationFailures = this.counter(
    'petstore_authentication_failures_total',
    'Requests without a valid API key: without any (missing) or with a wrong one (invalid).',
    ['reason'],
  );

  readonly batchSize = new Histogram({
    name: 'petstore_batch_size',
    help: 'Requests that shared one database statement.',
    labelNames: ['statement'],
    buckets: [1, 2, 4, 8, 16, 32],
    registers: this.registers,
  });

  readonly droppedLogLines = this.counter(
    'petstore_log_lines_dropped_total',
    'Log lines dropped because the log could not be written.',
  );

  constructor() {
    this.addVersion();
    this.addQueues();
  }

  /** Includes the process (event loop lag, memory, CPU, garbage collection), the lines that the logger drops, and the database. */
  watch({ logger, database }: { logger: Logger; database: Pool }): void {
    collectDefaultMetrics({ register: this.registry });
    const output = outputOf(logger);
    if (output) output.onDrop = (count) => this.droppedLogLines.inc(count);
    this.watchPool(database);
    this.watchDatabase(database);
  }

  /** Includes the queue of a statement in the metrics. */
  watchQueue(statement: string, length: () => number): void {
    this.queues.push({ statement, length });
  }

  private watchPool(pool: Pool): void {
    this.addGauge({
      name: 'petstore_database_connections',
      help: 'Database connections: busy, idle, and how many the process may open (max).',
      labelNames: ['state'],
      collect() {
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        this.set({ state: 'idle' }, pool.idleCount);
        this.set({ state: 'max' }, pool.options.max);
      },
    });
    this.addGauge({
      name: 'petstore_database_connection_waiters',
      help: 'Statements that wait for a database connection.',
      collect() {
        this.set(pool.waitingCount);
      },
    });
  }

  /** After the pool, because a ping uses a connection of it. */
  private watchDatabase(database: Pool): void {
    this.addGauge({
      name: 'petstore_database_up',
      help: 'Whether the database responds: 1 or 0.',
      async collect() {
        const isUp = await database.ping().then(
          () => true,
          () => false,
        );
        this.set(isUp ? 1 : 0);
      },
    });
  }

  private addVersion(): void {
    this.addGauge({
      name: 'petstore_build_info',
      help: 'The version of the service. The value is always 1.',
      labelNames: ['version'],
    }).set({ version: productVersion }, 1);
  }

  private addQueues(): void {
    const { queues } = this;
    this.addGauge({
      name: 'petstore_batch_queue_length',
      help: 'Requests that wait for the next statement. Equal ones count once.',
      labelNames: ['statement'],
      collect() {
        this.reset();
        for (const { statement, length } of queues) this.inc({ statement }, length());
      },
    });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.registers });
  }

  /** `collect` runs at each scrape. */
  private addGauge(configuration: GaugeConfiguration<string>): Gauge {
    return new Gauge({ ...configuration, registers: this.registers });
  }
}
