/** @throws TypeError with what is allowed, without the value, which may be a misplaced key. */
export function checkBaseUrl(text: string): URL {
  const url = parseUrl(text);
  const isPlain =
    url && ['http:', 'https:'].includes(url.protocol) && !(url.username + url.password + url.search + url.hash);
  if (!isPlain || !/\/v1\/?$/.test(url.pathname)) {
    throw new TypeError(
      '`baseUrl` must be an absolute http or https URL that ends in /v1, without user, query and fragment, such as http://localhost:3000/v1.',
    );
  }
  url.pathname = url.pathname.replace(/\/$/, '');
  // An empty query or fragment is dropped too: request URLs are built from this URL.
  url.search = '';
  url.hash = '';
  return url;
}

/** Not `URL.canParse`, which some browsers in use lack. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
