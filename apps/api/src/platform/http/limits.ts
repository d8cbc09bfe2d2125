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
  headerLines: 100,
  /** How often Node checks the timeouts of headers and requests. */
  connectionsCheckIntervalMs: 1000,
  /** Requests of one connection without a response (HTTP pipelining). A connection that sends more is closed at once. */
  requestsPerConnection: 64,
  maxConnections: 10_000,
  /**
   * How much of a body the service reads after its response, and for how long: a client in the middle of a body can read
   * the response, and a small body leaves its connection open.
   */
  unreadBodyBytes: 65_536,
  unreadBodyMs: 1000,
  /** Slots of a process; further requests get 503. About 0.1 s of work: more would only cost memory. One key gets half. */
  maxRequestsInProgress: 400,
  /** How many requests of one key start in a turn of the event loop: expensive ones take about 60 ms. */
  requestsPerTurn: 64,
  rejectionDelayMs: 1000,
  /** Connections that the kernel queues until they are accepted. Linux allows up to net.core.somaxconn. */
  backlog: 4096,
};

export type HttpLimits = Readonly<typeof httpLimits>;

/** Injects the `HttpLimits`. */
export const HTTP_LIMITS = Symbol('HTTP limits');
