/** Injects the `Metrics`, if METRICS_PORT is set. Separate from the class: prom-client is loaded only if it is used. */
export const METRICS = Symbol('metrics');
