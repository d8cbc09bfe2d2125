import { createServer } from 'node:http';
import { port, stopBySignal } from '../peer.js';

/** The least that a server on Node can do: the body of `/healthz` for every request. */
const body = JSON.stringify({ status: 'ok' });
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
const server = createServer((_request, response) => response.writeHead(200, headers).end(body));

server.listen(port, '127.0.0.1');
stopBySignal(async () => server.closeAllConnections());
