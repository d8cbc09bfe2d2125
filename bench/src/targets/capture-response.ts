import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CapturedResponse } from '../peers/ceiling.js';
import { authorization, type Target } from './target.js';

/** Node's HTTP server sets these headers. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Captures the exact response of a target, without the headers that every Node server sets. */
export async function captureResponse({ server }: Target, path: string): Promise<CapturedResponse> {
  const request = get({ port: server.port, host: '127.0.0.1', path, headers: authorization });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const headers: string[] = [];
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    const pair = response.rawHeaders.slice(at, at + 2);
    if (!ownHeaders.has(pair[0]?.toLowerCase() ?? '')) headers.push(...pair);
  }
  return { headers, body: await text(response) };
}
