import { connect } from 'node:net';

/** What came back for some bytes. */
export interface Exchanged {
  /** All answers, as bytes in latin1; empty when there was none. */
  received: string;
  /** How the connection ended. */
  end: 'closed' | 'timeout' | 'refused';
  ms: number;
}

/** Sends bytes as they are, closes its own side and reads up to the end of the connection, for so long at most. */
export function exchange(port: number, bytes: Buffer, limitMs = 20_000): Promise<Exchanged> {
  return new Promise((resolve) => {
    const begin = performance.now();
    const parts: string[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const done = (end: Exchanged['end']) => {
      clearTimeout(limit);
      socket.destroy();
      resolve({ received: parts.join(''), end, ms: performance.now() - begin });
    };
    const limit = setTimeout(() => done('timeout'), limitMs);
    let isOpen = false;
    socket.on('connect', () => (isOpen = true));
    socket.on('data', (data) => parts.push(data.toString('latin1')));
    // Whoever sends what nobody wants may find the door closed before all is sent.
    socket.on('error', () => done(isOpen ? 'closed' : 'refused'));
    socket.on('end', () => done('closed'));
    socket.end(bytes);
  });
}
