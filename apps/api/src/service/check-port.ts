import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Config } from '../platform/config/config.js';
import { type AddressPrefix, ConfigError, explainSocket, portInUse } from '../platform/errors/startup-error.js';

const timeoutMs = 500;

/**
 * Checks the ports of the API and of the metrics.
 * @throws ExplainedError, or the error of a host
 */
export async function checkPorts({ host, port, metricsHost, metricsPort }: Config): Promise<void> {
  await checkPort({ host, port }, '');
  if (metricsPort === undefined) return;
  if (metricsPort === port && metricsHost === host) {
    throw new ConfigError([`METRICS_PORT must not be the port of the API, ${port}`]);
  }
  await checkPort({ host: metricsHost, port: metricsPort }, 'METRICS_');
}

/**
 * Rejects a host that is not of this machine, and a port on which another server responds. It does not listen on the port,
 * because a client that connected in that moment would be disconnected.
 */
async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>, prefix: AddressPrefix): Promise<void> {
  // On any free port. Without this, a server on that port of another machine would count as one here.
  const probe = createServer().listen({ host, port: 0 });
  await once(probe, 'listening').catch((error: Error) => {
    throw explainSocket(error, prefix) ?? error;
  });
  probe.close();
  if (port === 0) return;
  const socket = connect({ host, port }).on('error', () => undefined);
  const isInUse = await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) }).then(
    // A port that is free can by chance be the client's own: TCP then connects it to itself.
    () => socket.localPort !== port,
    () => false,
  );
  socket.destroy();
  if (isInUse) throw portInUse(port, host, prefix);
}
