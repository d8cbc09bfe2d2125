/** Headers that ky treats like `Retry-After`. The API does not send them, and their meaning varies. */
const similarHeaders = ['ratelimit-reset', 'x-ratelimit-retry-after', 'x-ratelimit-reset', 'x-rate-limit-reset'];

/** Returns the seconds of `Retry-After`, or `undefined` if it is missing or invalid. */
export function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Date.parse alone accepts 1.5 and -1 as years.
  const date = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Removes headers that this client does not read. ky would wait for them, longest for invalid ones. */
export function removeUnknownDelays(response: Response): Response {
  const ignored = retryAfter(response) === undefined ? ['retry-after', ...similarHeaders] : similarHeaders;
  for (const name of ignored) response.headers.delete(name);
  return response;
}
