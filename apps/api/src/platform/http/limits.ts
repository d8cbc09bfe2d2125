/** Fixed limits of the HTTP server. Only BODY_LIMIT_BYTES can be configured. Tests pass others to `createApp`. */
export const httpLimits = {
  /** Longer than the idle time of common reverse proxies (60 s), so that they close first. */
  keepAliveTimeoutMs: 75_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /**
   * Closes a connection on which no byte moves while a request is in progress. Longer than the timeouts above, which
   * send a 408 first.
   */
  stalledTimeoutMs: 40_000,
  headerBytes: 16_384,
  /** How often Node checks the timeouts of headers and requests. */
  connectionsCheckIntervalMs: 1000,
  /** Requests of one connection that are handled at a time (HTTP pipelining). The next ones wait. */
  requestsPerConnection: 16,
  maxConnections: 10_000,
  /** File descriptors that connections leave for the database, the log and other files. */
  reservedDescriptors: 100,
  /** Per process; further requests get 503. About 0.1 s of work: more would only cost memory. */
  maxRequestsInProgress: 400,
  rejectionDelayMs: 1000,
  /** Connections that the kernel queues until they are accepted. Linux allows up to net.core.somaxconn. */
  backlog: 4096,
};

export type HttpLimits = Readonly<typeof httpLimits>;
