/** What the error codes of Node mean. The causes of `fetch` have them. */
const meanings: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'the host name cannot be resolved now',
  ECONNREFUSED: 'the connection was refused, because no server listens there',
  ECONNRESET: 'the server closed the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name is unknown',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS, so the address begins with http://',
  ETIMEDOUT: 'the server does not answer',
  HPE_INVALID_CONSTANT: 'the response is not HTTP',
  UND_ERR_CONNECT_TIMEOUT: 'the server does not answer',
  UND_ERR_SOCKET: 'the server closed the connection',
};

/** Codes of OpenSSL. Its messages name what is wrong with the certificate. */
const certificateCodes = /CERT|_SIGNATURE|_ISSUER/;

interface Cause {
  name: string;
  message: string;
  code?: string;
  cause?: unknown;
}

/** Why a `fetch` failed, as the end of a sentence: refused, unknown host, certificate … `undefined` in browsers, which hide it. */
export function connectionFault(error: unknown): string | undefined {
  let inner = error as Cause;
  if (!(inner.cause instanceof Error)) return undefined;
  while (inner.cause instanceof Error) inner = inner.cause;
  // The error of a host with several addresses has a code, but no message.
  const { name, code = '', message } = inner;
  if (certificateCodes.test(code)) return `the certificate of the server is not accepted: ${message} (${code})`;
  const text = meanings[code] ?? (message || name);
  return code ? `${text} (${code})` : text;
}
