import { connect, type Socket } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

export interface RawOptions {
  /** Closes the client's side after sending, as `nc -N` does. */
  halfClose?: boolean;
  /** The time limit for the end of the connection. */
  timeoutMs?: number;
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

/** A connection to a service, whose errors are ignored. */
export function openSocket(url: string): Socket {
  return connect({ port: Number(new URL(url).port), host: '127.0.0.1' }).on('error', () => undefined);
}

/** Sends bytes that `fetch` would not send. Returns every response until the connection ends. */
export async function sendRaw(url: string, bytes: string | Buffer, options: RawOptions = {}): Promise<RawResponse[]> {
  return parseResponses(await exchange(url, bytes, options));
}

/** Sends bytes after which the service closes the connection. Returns the only response. */
export async function onlyResponse(url: string, bytes: string): Promise<RawResponse> {
  const [response, ...others] = await sendRaw(url, bytes);
  if (!response) throw new Error('The connection was closed without a response.');
  if (others.length > 0) throw new Error(`The connection got ${others.length + 1} responses instead of one.`);
  return response;
}

/** Sends one request and returns its response. */
export async function sendOne(
  url: string,
  requestLine: string,
  headers: string[] = [],
  body = '',
): Promise<RawResponse> {
  const head = [requestLine, 'Host: localhost', 'Connection: close', ...headers];
  const responses = await sendRaw(url, `${head.join('\r\n')}\r\n\r\n${body}`);
  const last = responses.at(-1);
  if (!last) throw new Error(`The connection was closed without a response to ${requestLine}.`);
  return last;
}

function exchange(
  url: string,
  bytes: string | Buffer,
  { halfClose = false, timeoutMs = 15_000 }: RawOptions,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const received: Buffer[] = [];
    const timer = setTimeout(
      () => socket.destroy(new Error(`The connection did not end within ${timeoutMs} ms: ${String(received)}`)),
      timeoutMs,
    );
    socket.on('data', (data) => received.push(data));
    socket.on('end', () => socket.end());
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(received).toString());
    });
    socket.write(bytes);
    if (halfClose) socket.end();
  });
}

function parseResponses(text: string): RawResponse[] {
  const responses = [];
  for (let rest = text; rest !== '';) {
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
