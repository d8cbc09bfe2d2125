import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { databaseUrl, isConnectionLost, tryConnect } from './connection.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { keepLogSmall } from './postgres-log.js';
import { stopPostmaster } from './postmaster-process.js';
import { findOwner, takeOwnership } from './presence.js';
import { openSession, type User } from './session.js';

const claimMs = 2_000;
const firstPauseMs = 1_000;
const longestPauseMs = 10_000;
const logCareMs = 3_600_000;

/** The one who starts a data folder's PostgreSQL, starts it again when it dies, and stops it at last. */
export class Owner {
  readonly url: string;
  readonly #user: User;
  readonly #closing = new AbortController();
  /** The session that holds the ownership; none while PostgreSQL is away. */
  #client: Client | undefined;
  #recovery: Promise<void> | undefined;
  #logCare: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(user: Omit<User, 'name' | 'signal'>) {
    this.url = databaseUrl(user.folder.root);
    this.#user = { ...user, name: `petstore-owner ${process.pid}`, signal: this.#closing.signal };
  }

  /** @throws EmbeddedPostgresError when another service owns the folder, or PostgreSQL does not start. */
  async open(): Promise<void> {
    await this.#claim();
    const { log } = this.#user.folder;
    this.#logCare = setInterval(() => void keepLogSmall(log).catch(() => undefined), logCareMs).unref();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#stop());
  }

  async #stop(): Promise<void> {
    clearInterval(this.#logCare);
    this.#closing.abort();
    await this.#recovery;
    const { folder, name } = this.#user;
    // Without a session: PostgreSQL is on its way down or up, or another service has taken it over, whose it then is.
    const client = this.#client ?? (await tryConnect(folder.socket, name)).client;
    const isOurs =
      client === this.#client || (client !== undefined && (await takeOwnership(client).catch(() => false)));
    // The session is held until the end, so that nobody takes for theirs what is just being stopped.
    if (isOurs) await stopPostmaster(folder);
    await client?.end();
  }

  /** The session of an owner that was killed may last a moment longer than the owner. */
  async #claim(): Promise<void> {
    for (const begin = performance.now(); ; await sleep(100)) {
      const client = await openSession(this.#user);
      try {
        if (await takeOwnership(client)) return this.#keep(client);
        if (performance.now() - begin > claimMs) throw this.#owned(await findOwner(client));
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
      } finally {
        if (client !== this.#client) await client.end();
      }
    }
  }

  #keep(client: Client): void {
    this.#client = client;
    client.once('end', () => {
      this.#client = undefined;
      if (!this.#closing.signal.aborted) this.#recovery = this.#recover();
    });
  }

  async #recover(): Promise<void> {
    const { log } = this.#user;
    const { signal } = this.#closing;
    log('PostgreSQL has stopped unexpectedly: starting it again');
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        await this.#claim();
        return log('PostgreSQL is back');
      } catch (error) {
        if (!signal.aborted) log(`${(error as Error).message} The next try is in ${pauseMs / 1_000} s.`);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #owned(owner: string): EmbeddedPostgresError {
    return new EmbeddedPostgresError(
      `Another service (${owner}) runs on the data folder ${this.#user.folder.root}. ` +
        'Stop it, or give this one another folder with DATA_DIR (and another PORT).',
    );
  }
}
