import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** The head of a request, with a key unless it is empty. */
export function headOf(line: string, key: string, ...headers: string[]): string {
  const authorization = key === '' ? [] : [`Authorization: Bearer ${key}`];
  return [`${line} HTTP/1.1`, 'Host: a', ...authorization, ...headers, '', ''].join('\r\n');
}

const newPet = '{"name":"Rex","categoryId":7}';

/** The head of a create of an animal, and its body. */
export function createOf(key: string, ...headers: string[]): [head: string, body: string] {
  const ofBody = ['Content-Type: application/json', `Content-Length: ${newPet.length}`];
  return [headOf('POST /v1/pets', key, ...ofBody, ...headers), newPet];
}

/** A connection to a service until the test ends. Its errors are ignored. */
export function openSocket(url: string): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' }).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

interface RawOptions {
  /** Closes the client's side after sending, as `nc -N` does. */
  halfClose?: boolean;
}

/** Sends bytes that `fetch` would not send. Returns every response until the connection ends, within 15 s. */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  { halfClose = false }: RawOptions = {},
): Promise<RawResponse[]> {
  const signal = AbortSignal.timeout(15_000);
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true, signal });
  socket.write(bytes);
  if (halfClose) socket.end();
  const received = await text(socket);
  socket.destroy();
  return parseResponses(received);
}

/** Sends bytes after which the service closes the connection. Returns the only response. */
export async function onlyResponse(url: string, bytes: string): Promise<RawResponse> {
  const [response, ...others] = await sendRaw(url, bytes);
  if (!response) throw new Error('The connection was closed without a response.');
  if (others.length > 0) throw new Error(`The connection got ${others.length + 1} responses instead of one.`);
  return response;
}

/** Sends one request and returns its response. */
export function sendOne(url: string, requestLine: string, headers: string[] = [], body = ''): Promise<RawResponse> {
  const head = [requestLine, 'Host: localhost', 'Connection: close', ...headers];
  return onlyResponse(url, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Every response of a connection, in order. */
export function parseResponses(received: string): RawResponse[] {
  const responses = [];
  for (let rest = received; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
    );
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
    responses.push({ status: Number(statusLine.split(' ')[1]), headers, text: rest.slice(end + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
  return responses;
}
