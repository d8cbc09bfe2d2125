import type { GlobalFlags } from '../connection.js';

export interface ImportFlags extends GlobalFlags {
  skipInvalid?: true;
  dryRun?: true;
  concurrency?: number;
  journal?: string;
}
