import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { integer, type Parse, Refused, shown } from './environment.js';

export const host: Parse<string> = (text) => {
  // What has the look of an IPv4 address has to be one.
  const isName = !/^[\d.]+$/.test(text) && /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(text);
  if (isName || isIP(text) !== 0) return text;
  return new Refused(`${shown(text)} is not allowed; allowed is an IP address or a host name, such as 0.0.0.0 for all`);
};

export const folder: Parse<string> = (text) =>
  text.trim() === '' ? new Refused(`${shown(text)} is not allowed; allowed is the path of a folder`) : text;

export const file: Parse<string> = (text) =>
  text.trim() === '' ? new Refused(`${shown(text)} is not allowed; allowed is the path of a file`) : text;

/** Never shows the URL: it may hold a password. */
export const postgresUrl: Parse<string> = (text) => {
  const allowed = 'allowed is postgresql://user:password@host:5432/database, special characters percent-encoded';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return new Refused(`not a PostgreSQL URL; ${allowed}`);
  if (url.pathname.length < 2) return new Refused(`names no database; ${allowed}`);
  if (![url.username, url.password, url.pathname].every(isDecodable)) {
    return new Refused(`holds percent-encoding that cannot be decoded; ${allowed}`);
  }
  const problem = parameterProblem(url.searchParams);
  return problem === undefined ? text : new Refused(problem);
};

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

function parameterProblem(parameters: URLSearchParams): string | undefined {
  if (parameters.has('schema')) {
    return 'the parameter schema is not supported; set the search_path of the role or the database instead';
  }
  const sslMode = parameters.get('sslmode');
  if (sslMode === null) return undefined;
  // `prefer` and `allow` fall back to a connection without encryption, and pg cannot.
  if (!sslModes.includes(sslMode)) return `the sslmode is not supported; allowed are ${sslModes.join(', ')}`;
  if (sslMode !== 'verify-ca' || parameters.has('sslrootcert')) return undefined;
  return 'sslmode=verify-ca needs sslrootcert=FILE with the certificate of the authority, or use verify-full';
}

const minDistinctCharacters = 10;

export const bootstrapKey: Parse<string> = (text) => {
  const isKey = /^[\x21-\x7e]{24,}$/.test(text) && new Set(text).size >= minDistinctCharacters;
  return isKey ? text : new Refused(bootstrapKeyRule);
};

const bootstrapKeyRule =
  `not a key; allowed are 24 or more visible ASCII characters, at least ${minDistinctCharacters} of them distinct. ` +
  'Use a key that "npm run keys -- create" prints';

export const baseUrl: Parse<string> = (text) => {
  const allowed = 'allowed is an http or https URL without query that ends in /v1, such as https://api.example.com/v1';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // It is published, and so not shown either.
  if (url?.username || url?.password) return new Refused(`holds a user name or a password; ${allowed}`);
  const isUsable = url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1') && !/[?#\s]/.test(text);
  return isUsable ? text : new Refused(`${shown(text)} is not allowed; ${allowed}`);
};

export const origins: Parse<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !URL.canParse(part) || new URL(part).origin !== part);
  if (bad === undefined) return list;
  const allowed = 'allowed is a list such as https://shop.example.com,http://localhost:5173';
  // It may be a password that stands before the "@".
  return new Refused(`${bad.includes('@') ? 'one of them' : shown(bad)} is not an origin; ${allowed}`);
};

/** `auto`: as many processes as this process may use processors. */
export const processCount: Parse<number> = (text) => {
  const count = text === 'auto' ? availableParallelism() : integer(1, maxProcesses)(text);
  if (typeof count === 'number') return count;
  return new Refused(`${shown(text)} is neither auto nor a whole number from 1 to ${maxProcesses}`);
};

const maxProcesses = 256;

/** A number of hops, or the addresses that are proxies. */
export const trustedProxies: Parse<number | string[]> = (text) => {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !isCidr(part));
  if (bad === undefined) return list;
  return new Refused(
    `${shown(bad)} is not allowed; allowed is a number of hops from 1 to 99, or a list of CIDRs such as 10.0.0.0/8,fd00::/8`,
  );
};

function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
