import type { PetStatus } from '@petstore/contracts';
import type { Client } from 'pg';
import type { ServerProcess } from '@petstore/processes/server-process.js';

export type TargetName = 'service' | 'handwritten' | 'starter' | 'ceiling';

/** A position in the list between two pages. */
export interface Place {
  status: PetStatus | undefined;
  /** The id of the animal before it. */
  afterId: number;
  /** The cursor from the service's Link header. */
  cursor: string;
}

/** A server that is measured. */
export interface Target {
  readonly name: TargetName;
  readonly server: ServerProcess;
  /** A connection to its database. The ceiling has none. */
  readonly database: Client | undefined;
}

/** The API key of every target. */
export const apiKey = 'a-key-for-the-benchmark-only';
export const authorization = { Authorization: `Bearer ${apiKey}` } as const;

/** The connections to PostgreSQL that each target may open: the service's default. */
export const poolMax = '10';
