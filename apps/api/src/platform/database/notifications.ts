import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PoolOptions } from './pool.js';
import { type Listener, Subscription } from './subscription.js';

/** Calls listeners when another process announces a change (LISTEN/NOTIFY). */
@Injectable()
export class DatabaseNotifications implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(private readonly options: PoolOptions) {}

  /** Until the app closes. */
  subscribe(channel: string, listener: Listener): void {
    new Subscription(channel, listener, { ...this.options, signal: this.closing.signal }).start();
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }
}
