import { parseJson } from '../../src/platform/http/json/parse-json.js';
import { stringifyJson } from '../../src/platform/http/json/stringify-json.js';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body, parsed with every integer as an exact `bigint`. */
  json: unknown;
}

type HeaderValues = Record<string, string>;

/** Sends requests as a program would, over a socket. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly key?: string,
  ) {}

  head(path: string, headers?: HeaderValues): Promise<Answer> {
    return this.send('HEAD', path, { headers });
  }

  get(path: string, headers?: HeaderValues): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  /** A body that is no string is sent as JSON, its `bigint`s with every digit. */
  post(path: string, body: unknown, headers?: HeaderValues): Promise<Answer> {
    const text = typeof body === 'string' ? body : stringifyJson(body);
    return this.send('POST', path, { body: text, headers: { 'content-type': 'application/json', ...headers } });
  }

  async send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: HeaderValues | undefined; body?: string | Uint8Array<ArrayBuffer> } = {},
  ): Promise<Answer> {
    const authorization = this.key === undefined ? {} : { authorization: `Bearer ${this.key}` };
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...authorization, ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type') === 'application/json' && text !== '';
    return { status: answer.status, headers: answer.headers, text, json: isJson ? parseJson(text) : undefined };
  }
}
