import { createServer } from 'node:http';
import { apiKey, port } from './environment.js';
import { stopBySignal } from './stop.js';

/** The answer of the service that this peer repeats. */
export interface CapturedAnswer {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** More than Node can do with a request there is not: it checks the key, and sends what it was given. */
const { headers, body } = JSON.parse(process.env['ANSWER'] ?? '') as CapturedAnswer;
const authorization = `Bearer ${apiKey}`;
const answer = Buffer.from(body);

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  if (request.headers.authorization === authorization) response.writeHead(200, [...headers]).end(answer);
  else response.writeHead(401).end();
});
server.listen(port, '127.0.0.1');
stopBySignal(async () => server.close());
