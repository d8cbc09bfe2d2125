import { createServer } from 'node:http';
import { apiKey, port } from './environment.js';
import { stopBySignal } from './stop.js';

/** A response of the service, which this peer sends to every request. */
export interface CapturedResponse {
  /** Names and values, alternating. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** The upper limit for a Node server: it checks the key and sends a fixed response. */
const { headers, body } = JSON.parse(process.env['RESPONSE'] ?? '') as CapturedResponse;
const authorization = `Bearer ${apiKey}`;
const payload = Buffer.from(body);

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  if (request.headers.authorization === authorization) response.writeHead(200, [...headers]).end(payload);
  else response.writeHead(401).end();
});
server.listen(port, '127.0.0.1');
stopBySignal(async () => server.close());
