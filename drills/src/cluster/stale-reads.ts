import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DatabaseMachine } from './database-machine.js';

const pauseMs = 20;
const readSql = 'SELECT pg_is_in_recovery() AS standby, (SELECT max(id) FROM pet)';

/** Reads from a database machine again and again, from inside, to find out how long it behaves as the primary. */
export class StaleReads {
  #lastAt = performance.now();
  #isFinishing = false;
  readonly #running: Promise<void>;

  constructor(private readonly database: DatabaseMachine) {
    this.#running = this.#read();
  }

  /** Stops reading. Returns when the machine last served a read as the primary. */
  async finish(): Promise<number> {
    this.#isFinishing = true;
    await this.#running;
    return this.#lastAt;
  }

  async #read(): Promise<void> {
    let client: Client | undefined;
    for (; !this.#isFinishing; await sleep(pauseMs)) {
      try {
        client ??= await this.database.connect();
        const { rows } = await client.query<{ standby: boolean }>(readSql);
        if (rows[0]?.standby === false) this.#lastAt = performance.now();
      } catch {
        void client?.end().catch(() => undefined);
        client = undefined;
      }
    }
    await client?.end();
  }
}
