/** What ky takes for a `Retry-After` too. The API sends none of them; what they mean differs from one sender to another. */
const namesakes = ['ratelimit-reset', 'x-ratelimit-retry-after', 'x-ratelimit-reset', 'x-rate-limit-reset'];

/** How long an answer asks to wait, in seconds; `undefined` when it does not say so as HTTP has it. */
export function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Date.parse alone would find a year in 1.5 and in -1.
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Takes away what is not read here: ky would wait for that too, and longest for what it cannot read. */
export function keepReadableWait(answer: Response): Response {
  const unread = retryAfter(answer) === undefined ? ['retry-after', ...namesakes] : namesakes;
  for (const name of unread) answer.headers.delete(name);
  return answer;
}
