import type { Cleanup } from '@petstore/processes/cleanup.js';

export interface ProxyOptions {
  readonly cleanup: Cleanup;
  /** The ports of the services. */
  readonly upstreams: readonly number[];
}

/** A running reverse proxy. */
export interface Proxy {
  readonly name: string;
  readonly port: number;
  /** The PEM certificate that signed the one of the proxy. */
  readonly authority: () => Promise<string>;
}
