/** What one connection may take. BODY_LIMIT_BYTES alone can be set; the rest is fixed. */
export const httpLimits = {
  /** Longer than the idle time of common reverse proxies (60 s), so that they close first. */
  keepAliveTimeoutMs: 75_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /**
   * Without a byte read or sent while a request is under way: who does not take its answer is cut off. Longer than the
   * timeouts above, so that a request that stops arriving is told so first.
   */
  stalledTimeoutMs: 40_000,
  headerBytes: 16_384,
  /** How often the timeouts of headers and request are judged. */
  connectionsCheckIntervalMs: 1000,
  /** In a process: the next one is answered 503. About a tenth of a second's work: with more at once, memory and its collection cost what was to be won. */
  requestsUnderWay: 400,
  refusalDelayMs: 1000,
  /** Connections that the kernel may hold until they are accepted; Linux allows up to net.core.somaxconn. */
  backlog: 4096,
} as const;
