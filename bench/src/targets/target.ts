import type { PetStatus } from '@petstore/contracts';
import type { Client } from 'pg';
import type { ServerProcess } from '@petstore/processes/server-process.js';

export type TargetName = 'service' | 'handwritten' | 'starter' | 'ceiling';

/** A place in the list between two pages: what a client has to say to go on there. */
export interface Place {
  status: PetStatus | undefined;
  /** The last animal before it. */
  afterId: number;
  /** The service's name for it, from its Link header. */
  cursor: string;
}

/** A server that is loaded. */
export interface Target {
  readonly name: TargetName;
  readonly server: ServerProcess;
  /** To its own database; the ceiling has none. */
  readonly database: Client | undefined;
}

/** The key that all of them know. */
export const apiKey = 'a-key-for-the-benchmark-only';
export const authorization = { Authorization: `Bearer ${apiKey}` } as const;

/** Connections to PostgreSQL that each of them may open; the default of the service. */
export const poolMax = '10';
