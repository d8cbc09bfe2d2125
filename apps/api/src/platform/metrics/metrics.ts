import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { productVersion } from '../product.js';
import { withTimeout } from '../time-limit.js';

/** One value, or one per value of the label. */
type Values = number | Readonly<Record<string, number>>;

/**
 * The metrics of requests. The services that know the other numbers add gauges, which are read at each scrape. Names and units
 * follow https://prometheus.io/docs/practices/naming/. Every label has few values: never label with what a client chooses.
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

  constructor() {
    this.gauge('petstore_build_info', 'The version of the service.', () => ({ [productVersion]: 1 }), 'version');
    const queueLengths = () => {
      const lengths: Record<string, number> = {};
      for (const { statement, length } of this.queues) lengths[statement] = (lengths[statement] ?? 0) + length();
      return lengths;
    };
    const queued = 'Requests that wait for the next statement. Equal ones count once.';
    this.gauge('petstore_batch_queue_length', queued, queueLengths, 'statement');
  }

  /** Includes the queue of a statement in the metrics. */
  watchQueue(statement: string, length: () => number): void {
    this.queues.push({ statement, length });
  }

  /** Adds a gauge that is read at each scrape. It has no value if it cannot be read within 4 s. */
  gauge(name: string, help: string, read: () => Values | Promise<Values>, label?: string): Gauge {
    return new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: this.registers,
      async collect() {
        const values = await withTimeout(Promise.resolve().then(read)).catch(() => ({}));
        if (label === undefined) this.remove();
        else this.reset();
        if (typeof values === 'number') this.set(values);
        else for (const [key, value] of Object.entries(values)) this.set({ [label ?? '']: key }, value);
      },
    });
  }

  /** Adds a counter that is read at each scrape. */
  total(name: string, help: string, read: () => number): Counter {
    return new Counter({
      name,
      help,
      registers: this.registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: this.registers });
  }
}
