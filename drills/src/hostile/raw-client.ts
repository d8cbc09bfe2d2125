import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection, sends bytes and reads nothing. */
export async function sendWithoutReading(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause().write(text);
  return socket;
}

/** The head of a request that creates an animal, with a body of `bytes` bytes. */
export function creationHead(key: string, bytes: number): string {
  const lines = ['POST /v1/pets HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`];
  return [...lines, 'Content-Type: application/json', `Content-Length: ${bytes}`, '', ''].join('\r\n');
}
