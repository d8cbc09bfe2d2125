import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface RawOptions {
  /** Ends the client's side once all is sent, as `nc -N` does. */
  halfClose?: boolean;
  /** After which the wait for the end of the connection is given up. */
  timeoutMs?: number;
}

/** Sends bytes as they are, where `fetch` is too polite; every answer up to the end of the connection. */
export async function sendRaw(url: string, bytes: string, options: RawOptions = {}): Promise<RawAnswer[]> {
  return parseAnswers(await exchange(url, bytes, options));
}

/** The answer to one request, of which the request line, headers and a body are given. */
export async function sendOne(url: string, requestLine: string, headers: string[] = [], body = ''): Promise<RawAnswer> {
  const head = [requestLine, 'Host: localhost', 'Connection: close', ...headers];
  const answers = await sendRaw(url, `${head.join('\r\n')}\r\n\r\n${body}`);
  const last = answers.at(-1);
  if (!last) throw new Error(`the connection was closed without an answer to ${requestLine}`);
  return last;
}

function exchange(url: string, bytes: string, { halfClose = false, timeoutMs = 15_000 }: RawOptions): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const received: Buffer[] = [];
    const giveUp = setTimeout(
      () => socket.destroy(new Error(`no end after ${timeoutMs} ms: ${String(received)}`)),
      timeoutMs,
    );
    socket.on('data', (data) => received.push(data));
    socket.on('end', () => socket.end());
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(giveUp);
      resolve(Buffer.concat(received).toString());
    });
    socket.write(bytes);
    if (halfClose) socket.end();
  });
}

function parseAnswers(text: string): RawAnswer[] {
  const answers = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
    );
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, text: rest.slice(end + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
  return answers;
}
