import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import type { DatabaseOptions } from './prisma.service.js';

/** Where notifications come through, looking now and then is enough; where not, looking is all there is. */
const pollMs = { proven: 4000, unproven: 500 } as const;
const reconnectMs = 1000;

type Listener = () => Promise<void>;

/**
 * Calls a listener when another process says that something changed (LISTEN/NOTIFY), and every few seconds in any
 * case: some connection poolers let no notification through, so that they are trusted only once one has come back.
 */
@Injectable()
export class DatabaseNotifications implements OnModuleDestroy {
  private readonly listeners = new Map<string, Listener>();
  private client: pg.Client | undefined;
  private timers = new Set<NodeJS.Timeout>();
  private proven = false;
  private closed = false;

  constructor(private readonly options: DatabaseOptions) {}

  /** Returns what ends it. A listener that fails is called again at the next poll. */
  subscribe(channel: string, listener: Listener): () => void {
    this.listeners.set(channel, listener);
    if (this.listeners.size === 1) this.start();
    else void this.listen(channel);
    return () => this.listeners.delete(channel);
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.client?.end().catch(() => undefined);
  }

  private start(): void {
    void this.connect();
    this.later(() => void this.poll(), pollMs.unproven);
  }

  private async poll(): Promise<void> {
    await this.tell();
    this.later(() => void this.poll(), this.proven ? pollMs.proven : pollMs.unproven);
  }

  private async tell(channel?: string): Promise<void> {
    for (const [name, listener] of this.listeners) {
      if (channel === undefined || channel === name) await listener().catch(() => undefined);
    }
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'petstore notifications',
      connectionTimeoutMillis: this.options.statementTimeoutMs,
      keepAlive: true,
    });
    let ended = false;
    const again = () => {
      if (ended) return;
      ended = true;
      this.proven = false;
      this.later(() => void this.connect(), reconnectMs);
    };
    client.on('error', again).on('end', again).on('notification', ({ channel }) => {
      this.proven = true;
      void this.tell(channel);
    });
    this.client = client;
    try {
      await client.connect();
      for (const channel of this.listeners.keys()) await this.listen(channel);
    } catch {
      again();
      await client.end().catch(() => undefined);
    }
  }

  /** The notification sent to itself is the proof that they come through. */
  private async listen(channel: string): Promise<void> {
    const name = pg.escapeIdentifier(channel);
    await this.client?.query(`LISTEN ${name}; NOTIFY ${name}`);
  }

  private later(run: () => void, ms: number): void {
    if (this.closed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, ms).unref();
    this.timers.add(timer);
  }
}
