import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';

/** Parses the text of a variable, or returns why it is invalid. */
export type Parse<Value> = (text: string) => Value | Invalid;

/** The reason continues a sentence that starts with the name of the variable. */
export class Invalid {
  constructor(readonly reason: string) {}
}

/** Quotes an invalid value for a message. Do not use it for secrets. */
function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return new Invalid(`must be an integer from ${min} to ${max}, not ${shown(text)}`);
  };
}

export function oneOf<const Value extends string>(values: readonly Value[]): Parse<Value> {
  return (text) =>
    values.find((value) => value === text) ?? new Invalid(`must be one of ${values.join(', ')}, not ${shown(text)}`);
}

export const boolean: Parse<boolean> = (text) => {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return new Invalid(`must be true or false, not ${shown(text)}`);
};

export const host: Parse<string> = (text) => {
  // Digits and dots alone are an IPv4 address, not a name.
  const isName = !/^[\d.]+$/.test(text) && /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(text);
  if (isName || isIP(text) !== 0) return text;
  return new Invalid(`must be an IP address or a host name, such as 0.0.0.0 for all addresses, not ${shown(text)}`);
};

export function localPath(kind: 'file' | 'folder'): Parse<string> {
  return (text) => (text.trim() === '' ? new Invalid(`must be the path of a ${kind}, not ${shown(text)}`) : text);
}

/** Never shows the URL: it may hold a password. */
export const postgresUrl: Parse<string> = (text) => {
  const example = 'such as postgresql://user:password@host:5432/database, with special characters percent-encoded';
  // Before the URL is parsed, which fails if each host has a port.
  if (hostsOf(text).includes(',')) return new Invalid(severalHosts);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return new Invalid(`must be a PostgreSQL URL, ${example}`);
  if (url.pathname.length < 2) return new Invalid(`must name a database, ${example}`);
  if (![url.username, url.password, url.pathname].every(isDecodable)) {
    return new Invalid(`contains invalid percent-encoding. Use a URL ${example}`);
  }
  const problem = parameterProblem(url.searchParams);
  return problem === undefined ? text : new Invalid(problem);
};

const severalHosts =
  'must name one host. For several servers, name a proxy that connects to the primary, such as HAProxy. See ' +
  'deploy/cluster/README.md';

/** The hosts and ports of a PostgreSQL URL, in the authority and in the parameters. */
function hostsOf(text: string): string {
  const authority = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  const parameters = new URLSearchParams(text.split('?')[1]);
  return [authority.slice(authority.lastIndexOf('@') + 1), parameters.get('host'), parameters.get('port')].join(' ');
}

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

function parameterProblem(parameters: URLSearchParams): string | undefined {
  if (parameters.has('schema')) {
    return 'must not contain the parameter schema. Set the search_path of the role or the database instead';
  }
  const sslMode = parameters.get('sslmode');
  if (sslMode === null) return undefined;
  // `prefer` and `allow` fall back to a connection without encryption, and pg cannot.
  if (!sslModes.includes(sslMode)) return `must have one of the sslmodes ${sslModes.join(', ')}`;
  if (sslMode !== 'verify-ca' || parameters.has('sslrootcert')) return undefined;
  return 'with sslmode=verify-ca requires sslrootcert=FILE, the certificate of the authority. Or use verify-full';
}

const minDistinctCharacters = 10;

export const bootstrapKey: Parse<string> = (text) => {
  const isKey = /^[\x21-\x7e]{24,}$/.test(text) && new Set(text).size >= minDistinctCharacters;
  return isKey ? text : new Invalid(bootstrapKeyRule);
};

const bootstrapKeyRule =
  `must have 24 or more visible ASCII characters, at least ${minDistinctCharacters} of them distinct. ` +
  'For example the output of openssl rand -hex 32';

export const baseUrl: Parse<string> = (text) => {
  const rule = 'must be an http or https URL without query that ends in /v1, such as https://api.example.com/v1';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL is published. The message must not show it either.
  if (url?.username || url?.password) return new Invalid('must not contain a user name or a password');
  const isUsable = url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1') && !/[?#\s]/.test(text);
  return isUsable ? text : new Invalid(`${rule}, not ${shown(text)}`);
};

export const origins: Parse<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !URL.canParse(part) || new URL(part).origin !== part);
  if (bad === undefined) return list;
  const rule = 'must be a list of origins, such as https://shop.example.com,http://localhost:5173';
  // The text before "@" may be a password.
  return new Invalid(bad.includes('@') ? `${rule}, without user names` : `${rule}, not ${shown(bad)}`);
};

/** `auto`: as many processes as this process may use processors. */
export const processCount: Parse<number> = (text) => {
  const count = text === 'auto' ? availableParallelism() : integer(1, maxProcesses)(text);
  if (typeof count === 'number') return count;
  return new Invalid(`must be auto or an integer from 1 to ${maxProcesses}, not ${shown(text)}`);
};

const maxProcesses = 256;

/** A number of hops, or the addresses that are proxies. */
export const trustedProxies: Parse<number | string[]> = (text) => {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !isCidr(part));
  if (bad === undefined) return list;
  return new Invalid(
    `must be a number of hops from 1 to 99, or a list of CIDRs such as 10.0.0.0/8,fd00::/8, not ${shown(bad)}`,
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
