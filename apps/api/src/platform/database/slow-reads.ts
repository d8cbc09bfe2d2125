import { promisify } from 'node:util';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { withSessionSettings } from '@petstore/migrate/session-settings.js';
import pg from 'pg';
import { databaseTimeoutMs } from '../time-limit.js';
import { keepAlive, rejectStandby } from './pool.js';

/** A machine that counts 28 million animals in 5 s counts 300 million in this time. */
const timeoutMs = 60_000;

/** Runs reads that may take longer than a request, each on one more connection. */
@Injectable()
export class SlowReads implements OnApplicationShutdown {
  private client: pg.Client | undefined;

  constructor(private readonly url: string) {}

  /** Resolves to the rows as arrays. The next call has to wait for it. */
  async run<Row extends unknown[]>(text: string, values: unknown[]): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: withSessionSettings(this.url),
      application_name: 'petstore',
      connectionTimeoutMillis: databaseTimeoutMs,
      query_timeout: timeoutMs + 500,
      ...keepAlive,
    });
    // Without a listener, the error of an idle connection would end the process.
    client.on('error', () => undefined);
    this.client = client;
    try {
      await client.connect();
      await promisify(rejectStandby)(client);
      // For the transaction: a connection pooler may drop the settings of a session.
      await client.query(`BEGIN; SET LOCAL statement_timeout = ${timeoutMs}`);
      return (await client.query<Row>({ text, values, rowMode: 'array' })).rows;
    } finally {
      await client.end();
    }
  }

  /** Does not wait for a running read. */
  async onApplicationShutdown(): Promise<void> {
    await this.client?.end();
  }
}
