import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CapturedAnswer } from '../peers/ceiling.js';
import { authorization, type Target } from './target.js';

/** Node's server sets them by itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** The answer of a target to the byte, but for the headers that every server in Node sets. */
export async function captureAnswer({ server }: Target, path: string): Promise<CapturedAnswer> {
  const request = get({ port: server.port, host: '127.0.0.1', path, headers: authorization });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const headers: string[] = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const pair = answer.rawHeaders.slice(at, at + 2);
    if (!ownHeaders.has(pair[0]?.toLowerCase() ?? '')) headers.push(...pair);
  }
  return { headers, body: await text(answer) };
}
