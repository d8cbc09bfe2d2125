import type { Tally } from '../tally.js';

const shownCharacters = 200;

/** Parses the first response. Returns `undefined` if its headers are incomplete. */
function firstResponse(received: string): { status: number; head: string; body: string } | undefined {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1]);
  const bodyAt = received.indexOf('\r\n\r\n') + 4;
  if (Number.isNaN(status) || bodyAt < 4) return undefined;
  const head = received.slice(0, bodyAt);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return { status, head, body: Buffer.from(received.slice(bodyAt, bodyAt + length), 'latin1').toString() };
}

/** Checks the rules for every response: no 5xx except 503, and one error format. Returns the status. */
export function checkResponse(received: string, request: Buffer, tally: Tally): number | undefined {
  const response = firstResponse(received);
  if (!response) return undefined;
  const { status, head } = response;
  // After the response to HEAD comes the next response, not a body.
  const body = request.toString('latin1', 0, 5) === 'HEAD ' ? '' : response.body;
  const shownRequest = () => JSON.stringify(request.toString('latin1', 0, shownCharacters));
  tally.expect(status < 500 || status === 503, `${status} to ${shownRequest()}`);
  if (status === 503) tally.rejected += 1;
  tally.expect(status !== 503 || /\r\nretry-after: \d/i.test(head), `503 without Retry-After to ${shownRequest()}`);
  tally.expect(/\r\nx-request-id: /i.test(head), `no X-Request-Id to ${shownRequest()}`);
  if (status >= 400 && body !== '')
    tally.expect(isError(status, body), `${body.slice(0, shownCharacters)} to ${shownRequest()}`);
  return status;
}

function isError(status: number, body: string): boolean {
  try {
    const error = JSON.parse(body) as { code: unknown; message: unknown; status: unknown };
    const isComplete = typeof error.code === 'string' && typeof error.message === 'string' && error.status === status;
    return isComplete && Object.keys(error).length === 3;
  } catch {
    return false;
  }
}
