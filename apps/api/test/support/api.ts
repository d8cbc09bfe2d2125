import { parseJson, stringifyJson } from '@petstore/contracts';

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The body, parsed with every integer as an exact `bigint`. */
  json: unknown;
}

type HeaderValues = Record<string, string>;

/** Sends requests over a socket. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly key?: string,
  ) {}

  head(path: string, headers?: HeaderValues): Promise<ApiResponse> {
    return this.send('HEAD', path, { headers });
  }

  get(path: string, headers?: HeaderValues): Promise<ApiResponse> {
    return this.send('GET', path, { headers });
  }

  /** Sends a body that is not a string as JSON, with all digits of a `bigint`. */
  post(path: string, body: unknown, headers?: HeaderValues): Promise<ApiResponse> {
    const text = typeof body === 'string' ? body : stringifyJson(body);
    return this.send('POST', path, { body: text, headers: { 'content-type': 'application/json', ...headers } });
  }

  async send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: HeaderValues | undefined; body?: string | Uint8Array<ArrayBuffer> } = {},
  ): Promise<ApiResponse> {
    const authorization = this.key === undefined ? {} : { authorization: `Bearer ${this.key}` };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...authorization, ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? parseJson(text) : undefined };
  }
}
