import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { databaseUrl, findSupervisor, isServerGone, lockSupervisor, tryConnect } from './connection.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { stopPostmaster, truncateLog } from './postmaster.js';
import { openSession, type SessionOptions } from './session.js';

const lockMs = 2_000;
const firstRetryMs = 1_000;
const longestRetryMs = 10_000;
const truncateMs = 3_600_000;

interface SupervisorOptions extends Pick<SessionOptions, 'directory' | 'log'> {
  onCrash?: ((message: string) => void) | undefined;
}

/** Starts PostgreSQL, restarts it when it stops unexpectedly, and stops it when the service closes. */
export class Supervisor {
  readonly url: string;
  crashes = 0;
  readonly #options: SessionOptions;
  readonly #closing = new AbortController();
  /** The session that holds the supervisor lock; `undefined` while PostgreSQL is down. */
  #client: Client | undefined;
  #restarting: Promise<void> | undefined;
  #logTimer: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;
  readonly #onCrash: (message: string) => void;

  constructor({ onCrash, ...options }: SupervisorOptions) {
    this.#onCrash = onCrash ?? options.log;
    this.url = databaseUrl(options.directory.root);
    this.#options = { ...options, name: `petstore-service ${process.pid}` };
  }

  /** @throws EmbeddedPostgresError when another service uses the directory, or PostgreSQL does not start. */
  async open(signal = this.#closing.signal): Promise<void> {
    await this.#lock(signal);
    const { log } = this.#options.directory;
    this.#logTimer = setInterval(() => void truncateLog(log).catch(() => undefined), truncateMs).unref();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#stop());
  }

  async #stop(): Promise<void> {
    clearInterval(this.#logTimer);
    this.#closing.abort();
    await this.#restarting;
    const { directory, name } = this.#options;
    // Without a session, PostgreSQL is stopping or starting, or another service has become its supervisor.
    const client = this.#client ?? (await tryConnect(directory.socket, name)).client;
    const isLocked = client === this.#client || (client && (await lockSupervisor(client).catch(() => false)));
    // Keep the session until PostgreSQL has stopped, so that no other service takes the lock meanwhile.
    if (isLocked) await stopPostmaster(directory);
    await client?.end();
  }

  /** Retries for 2 s: the session of a killed service may end slightly later than the service. */
  async #lock(signal: AbortSignal): Promise<void> {
    for (const begin = performance.now(); ; await sleep(100)) {
      const client = await openSession({ ...this.#options, signal });
      try {
        if (await lockSupervisor(client)) return this.#watch(client);
        if (performance.now() - begin > lockMs) throw this.#inUse(await findSupervisor(client));
      } catch (error) {
        if (!isServerGone(error)) throw error;
      } finally {
        if (client !== this.#client) await client.end();
      }
    }
  }

  #watch(client: Client): void {
    this.#client = client;
    client.once('end', () => {
      this.#client = undefined;
      if (!this.#closing.signal.aborted) this.#restarting = this.#restart();
    });
  }

  async #restart(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#closing;
    this.crashes += 1;
    this.#onCrash('PostgreSQL stopped unexpectedly. Restarting it.');
    for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
      try {
        await this.#lock(signal);
        return log('PostgreSQL is running again.');
      } catch (error) {
        if (!signal.aborted) this.#onCrash(`${(error as Error).message} The next attempt is in ${retryMs / 1_000} s.`);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #inUse(supervisor: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(
      `Another service (${supervisor}) uses the data directory ${this.#options.directory.root}. ` +
        'Stop it, or set DATA_DIR (and PORT) to other values.',
    );
  }
}
