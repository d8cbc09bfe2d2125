/** Fixed limits of the HTTP server, next to the setting BODY_LIMIT_BYTES. Tests pass others to `createApp`. */
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
  /** Headers of a request. Node drops further ones silently. */
  headers: 1000,
  /** How often Node checks the timeouts of headers and requests. */
  connectionsCheckIntervalMs: 1000,
  /** Requests of one connection that are handled at a time (HTTP pipelining). The next ones wait. */
  requestsPerConnection: 16,
  /** Further requests of a connection that wait. A connection that sends more is closed after those. */
  waitingPerConnection: 64,
  maxConnections: 10_000,
  /** File descriptors that connections leave for the database, the log and other files. */
  reservedDescriptors: 100,
  /** Slots of a process; further requests get 503. About 0.1 s of work: more would only cost memory. One key gets half. */
  maxRequestsInProgress: 400,
  rejectionDelayMs: 1000,
  /** Closes a connection whose response has not moved for this long while more than three quarters of the slots are taken. */
  scarceStalledTimeoutMs: 5000,
  stalledCheckIntervalMs: 500,
  /** Connections that the kernel queues until they are accepted. Linux allows up to net.core.somaxconn. */
  backlog: 4096,
};

export type HttpLimits = Readonly<typeof httpLimits>;
