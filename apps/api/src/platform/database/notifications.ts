import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import type { Logger } from 'pino';
import { keepAlive, type PoolOptions } from './pool.js';

/** Calls listeners when another process announces a change (LISTEN/NOTIFY). */
@Injectable()
export class DatabaseNotifications implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly options: PoolOptions,
    private readonly logger: Logger,
  ) {}

  /** Until the app closes. */
  subscribe(channel: string, listener: ChangeListener): void {
    const { options, logger, closing } = this;
    new Subscription(channel, listener, { ...options, logger, signal: closing.signal }).start();
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }
}

/** Some connection poolers drop notifications: until one has arrived, polling is the only means. */
const pollMs = { proven: 3000, unproven: 500 } as const;
const reconnectMs = 1000;
const failedMessage = 'Cannot read a change that another process made. The service retries every 3 seconds.';

/** A listener that fails is called again at the next poll. */
export type ChangeListener = () => Promise<void>;

/** Calls a listener on every notification of a channel, and at an interval in case notifications are lost. */
class Subscription {
  private readonly channel: string;
  /** Whether a notification has arrived on this connection. */
  private proven = false;
  private polledAt = -Infinity;
  private hasFailed = false;

  constructor(
    channel: string,
    private readonly listener: ChangeListener,
    private readonly options: PoolOptions & { logger: Logger; signal: AbortSignal },
  ) {
    this.channel = pg.escapeIdentifier(channel);
  }

  start(): void {
    void this.repeat(() => this.listenUntilLost(), reconnectMs);
    void this.repeat(() => this.poll(), pollMs.unproven);
  }

  private async repeat(run: () => Promise<void>, pauseMs: number): Promise<void> {
    const { signal } = this.options;
    while (!signal.aborted) {
      await run().catch(() => undefined);
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async poll(): Promise<void> {
    const now = performance.now();
    if (this.proven && now - this.polledAt < pollMs.proven) return;
    this.polledAt = now;
    await this.callListener();
  }

  /** Logs the first of consecutive failures: until the next success, the process works with old data. */
  private async callListener(): Promise<void> {
    try {
      await this.listener();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.options.logger.warn({ err: error, channel: this.channel }, failedMessage);
      this.hasFailed = true;
    }
  }

  private async listenUntilLost(): Promise<void> {
    const client = this.newClient();
    const lost = new Promise<void>((resolve) => {
      client.once('end', resolve);
    });
    const close = () => void client.end().catch(() => undefined);
    client.on('error', close).on('notification', () => {
      this.proven = true;
      void this.callListener();
    });
    this.options.signal.addEventListener('abort', close);
    try {
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
      await this.notify().catch(() => undefined);
      await lost;
    } finally {
      this.proven = false;
      this.options.signal.removeEventListener('abort', close);
      close();
    }
  }

  /** Uses a second connection, like other processes: a pooler may deliver a notification to the connection that sent it. */
  private async notify(): Promise<void> {
    const client = this.newClient().on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`NOTIFY ${this.channel}`);
    } finally {
      await client.end();
    }
  }

  private newClient(): pg.Client {
    return new pg.Client({
      connectionString: this.options.url,
      application_name: 'petstore notifications',
      connectionTimeoutMillis: this.options.statementTimeoutMs,
      query_timeout: this.options.statementTimeoutMs,
      ...keepAlive,
    });
  }
}
