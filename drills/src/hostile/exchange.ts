import { connect } from 'node:net';

/** The result of sending bytes. */
export interface Exchanged {
  /** All responses as latin1; empty without a response. */
  received: string;
  /** How the connection ended. */
  end: 'closed' | 'timeout' | 'refused';
  ms: number;
}

/** Sends bytes, closes the client's side and reads until the connection ends or the time limit is reached. */
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
    // The service may close the connection before everything is sent.
    socket.on('error', () => done(isOpen ? 'closed' : 'refused'));
    socket.on('end', () => done('closed'));
    socket.end(bytes);
  });
}
