import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The service, and a key that may read and add. */
interface Target {
  readonly port: number;
  readonly key: string;
}

/** What one hostile client does until the signal. */
type Attack = (target: Target, signal: AbortSignal) => void | Promise<void>;

const unknownPath = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n';

const names = (count: number) => Array.from({ length: count }, (_, number) => number.toString(36));

/** What takes the longest to read and to reject, of the size that the service accepts. */
const expensiveBodies = [
  `{${names(1150)
    .map((name) => `"${name}":1`)
    .join(',')}}`,
  `{"name":[${'1,'.repeat(4080)}1]}`,
  `{"name":${'['.repeat(4080)}${']'.repeat(4080)}}`,
  `{"categoryId":${'9'.repeat(8160)}}`,
  `{"name":"${String.raw`\u0001`.repeat(1350)}"}`,
];

/** What one client does while others are served. */
export const attacks: Readonly<Record<string, Attack>> = {
  // As many small requests as one read has, without a key. The service lets other addresses pass this one.
  'pipelines unknown paths on 20 connections': ({ port }, signal) => {
    repeat(20, { port, signal, localAddress: '127.0.0.2' }, (socket) => socket.write(unknownPath.repeat(2300)));
  },
  // In chunks of one byte, without a key.
  'sends 16 bodies without an end': ({ port }, signal) => {
    const head = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunks = '1\r\nx\r\n'.repeat(10_000);
    repeat(16, { port, signal }, (socket) => {
      const send = () => {
        while (socket.writable && socket.write(chunks));
      };
      socket.on('drain', send).write(head);
      send();
    });
  },
  // After one request on each: more than the service accepts.
  'holds 10,000 idle connections': ({ port }, signal) => {
    repeat(10_000, { port, signal }, (socket) => socket.write(unknownPath));
  },
  'searches on 200 connections': ({ port, key }, signal) => {
    const request = get('/v1/pets?q=ab1', key);
    repeat(200, { port, signal }, (socket) => sendAgain(socket, request));
  },
  // 15 new connections per second request 64 large pages each.
  'reads no responses': async ({ port, key }, signal) => {
    const request = get('/v1/pets?limit=100', key);
    while (!signal.aborted) {
      // A socket without a listener for data does not read.
      const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => undefined);
      socket.write(request.repeat(64));
      await sleep(1000 / 15);
    }
  },
  // The bodies are invalid.
  'sends expensive bodies on 400 connections': ({ port, key }, signal) => {
    let count = 0;
    repeat(400, { port, signal }, (socket) => {
      const body = expensiveBodies[(count += 1) % expensiveBodies.length] ?? '';
      const headers = [
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      sendAgain(socket, `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
    });
  },
  'sends 2,000 lines of headers on 1,000 connections': ({ port }, signal) => {
    const lines = names(2000).map((name) => `${name}:\r\n`);
    repeat(1000, { port, signal }, (socket) =>
      sendAgain(socket, `GET /x HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`),
    );
  },
};

/** Sends a request again after each response. */
function sendAgain(socket: Socket, request: string): void {
  socket.on('data', (data) => data.includes('HTTP/1.1 ') && socket.write(request));
  socket.write(request);
}

function get(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

interface Connections {
  readonly port: number;
  readonly signal: AbortSignal;
  readonly localAddress?: string;
}

/** Opens connections. Each connects again whenever the service disconnects. */
function repeat(count: number, { signal, ...target }: Connections, use: (socket: Socket) => void): void {
  const sockets = new Set<Socket>();
  const open = () => {
    if (signal.aborted) return;
    const socket = connect({ host: '127.0.0.1', ...target }).on('error', () => undefined);
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(open, 10);
    });
    use(socket.resume());
  };
  for (let connections = 0; connections < count; connections += 1) open();
  // A signal is slow with a listener for each of many connections.
  signal.addEventListener('abort', () => sockets.forEach((socket) => socket.destroy()));
}
