import type { Server } from 'node:http';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { type Address, serveMetrics } from './metrics-server.js';

/** Lets the primary process of a cluster read the metrics of this worker. */
export function shareWithPrimary(registry: Registry): AggregatorRegistry<typeof Registry.PROMETHEUS_CONTENT_TYPE> {
  AggregatorRegistry.setRegistries([registry]);
  // Its constructor listens for the requests of the primary process.
  return new AggregatorRegistry();
}

/** Serves the metrics of all workers together: in the primary process, because a port reaches any one of the workers. */
export function serveWorkerMetrics(address: Address): Promise<Server> {
  const workers = new AggregatorRegistry();
  return serveMetrics(() => workers.clusterMetrics(), address);
}
