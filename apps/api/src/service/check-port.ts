import { once } from 'node:events';
import { connect } from 'node:net';
import type { Config } from '../platform/config/config.js';
import { portInUse } from '../platform/errors/startup-error.js';

const timeoutMs = 500;

/**
 * Rejects a port on which another server responds. It does not listen on the port, because a client that connected in that
 * moment would be disconnected. The service notices other problems with its address later, when it listens.
 * @throws ExplainedError
 */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  if (port === 0) return;
  const socket = connect({ host, port }).on('error', () => undefined);
  const isInUse = await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) }).then(
    // A port that is free can by chance be the client's own: TCP then connects it to itself.
    () => socket.localPort !== port,
    () => false,
  );
  socket.destroy();
  if (isInUse) throw portInUse(port, host);
}
