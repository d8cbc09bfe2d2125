import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { integer, Invalid, type Parse } from './parsers.js';

const example = 'such as postgresql://user:password@host:5432/database, with special characters percent-encoded';

/** No message shows the URL: it may hold a password. The value always has a host, which `new URL` requires after a user. */
export const postgresUrl: Parse<string> = (text) => {
  if (!/^postgres(ql)?:\/\//.test(text)) return new Invalid(`must be a PostgreSQL URL, ${example}`);
  // Before everything else: parts of the password would be taken for the host, the database or parameters.
  if (!hasEscapedPassword.test(text)) return new Invalid(unescaped);
  // Before the URL is parsed, which fails if each host has a port.
  if (hostsOf(text).includes(',')) return new Invalid(severalHosts);
  const complete = text.replace(emptyHost, '$&localhost');
  const url = URL.canParse(complete) ? new URL(complete) : undefined;
  // The rest of a URL that has a scheme is valid in any form.
  if (!url) {
    return new Invalid(`must be a PostgreSQL URL with a valid host and port, ${example}. Write IPv6 as [::1]`);
  }
  if (url.pathname.length < 2) return new Invalid(`must name a database, ${example}`);
  if (![url.username, url.password, url.host, url.pathname].every(isDecodable)) {
    return new Invalid(`contains invalid percent-encoding. Use a URL ${example}`);
  }
  const problem = parameterProblem(url.searchParams) ?? certificateProblem(url.searchParams);
  return problem === undefined ? complete : new Invalid(problem);
};

/** At most one "@", before the first "/", "?" or "#". */
const hasEscapedPassword = /^\w+:\/\/(?:[^@/?#]*@)?[^@]*$/;

const unescaped =
  'has an "@" that does not follow the user and the password. Percent-encode special characters in them: write @ as %40, ' +
  '/ as %2F, ? as %3F, # as %23, % as %25';

/** Where a host is missing: before a port, a path or parameters. */
const emptyHost = /^\w+:\/\/(?:[^/?#@]*@)?(?=(?::\d*)?(?:[/?]|$))/;

const severalHosts =
  'must name one host. For several servers, name a proxy that connects to the primary, such as HAProxy. See ' +
  'deploy/cluster/README.md';

/** The hosts and ports of a PostgreSQL URL, in the authority and in the parameters. */
function hostsOf(text: string): string {
  const authority = /^\w+:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  const parameters = new URLSearchParams(text.split('?')[1]);
  return [authority.slice(authority.lastIndexOf('@') + 1), parameters.get('host'), parameters.get('port')].join(' ');
}

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

function parameterProblem(parameters: URLSearchParams): string | undefined {
  const names = [...parameters.keys()].filter((name) => effective.test(name));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `must not repeat the parameter ${repeated}`;
  if (integer(1, 65_535)(parameters.get('port') || '5432') instanceof Invalid) {
    return 'must have an integer from 1 to 65535 as the parameter port';
  }
  // pg takes any other text for true.
  if (!['true', '1', '0'].includes(parameters.get('ssl') ?? '0')) {
    return `must have ssl=true, or one of the sslmodes ${sslModes.join(', ')}`;
  }
  if (!['postgres', 'direct'].includes(parameters.get('sslnegotiation') ?? 'direct')) {
    return 'must have sslnegotiation=direct or sslnegotiation=postgres';
  }
  if (/search[_-]path\s*=(?!\s*public(?:[\s,]|$))/i.test(parameters.get('options') ?? '')) {
    return 'must have public as the first schema of search_path: the tables are there';
  }
  return sslModeProblem(parameters);
}

function sslModeProblem(parameters: URLSearchParams): string | undefined {
  const sslMode = parameters.get('sslmode');
  const root = parameters.get('sslrootcert');
  // `prefer` and `allow` fall back to a connection without encryption, and pg cannot.
  if (sslMode !== null && !sslModes.includes(sslMode)) return `must have one of the sslmodes ${sslModes.join(', ')}`;
  if (root === 'system' && (sslMode ?? 'verify-full') !== 'verify-full') {
    return 'with sslrootcert=system requires sslmode=verify-full';
  }
  if (sslMode !== 'verify-ca' || root !== null) return undefined;
  return 'with sslmode=verify-ca requires sslrootcert=FILE, the certificate of the authority. Or use verify-full';
}

/** The files of a TLS connection, with what reads one of them. */
const tlsFiles = {
  sslrootcert: (text: string) => new X509Certificate(text),
  sslcert: (text: string) => new X509Certificate(text),
  sslkey: (text: string) => createPrivateKey(text),
};

/** pg would not name the parameter of an unreadable file, and ignore a file without a certificate. */
function certificateProblem(parameters: URLSearchParams): string | undefined {
  for (const [name, read] of Object.entries(tlsFiles)) {
    const path = parameters.get(name);
    if (!path || path === 'system') continue;
    try {
      read(readFileSync(path, 'utf8'));
    } catch (error) {
      return `has ${name}=${path}, which must be a readable PEM file: ${(error as Error).message}`;
    }
  }
  return undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The parameters that pg reads. */
const effective =
  /^(user|password|host|port|ssl|sslmode|sslcert|sslkey|sslrootcert|sslnegotiation|uselibpqcompat|options|replication|binary|application_name|fallback_application_name|client_encoding|statement_timeout|lock_timeout|idle_in_transaction_session_timeout|query_timeout)$/;

/** What to use instead of a parameter of Prisma or libpq. */
const instead: Readonly<Record<string, string>> = {
  schema: ' The tables are in the schema public.',
  connection_limit: ' DATABASE_POOL_MAX limits the connections.',
  pgbouncer: ' See docs/install.md, "PgBouncer".',
  socket_timeout: ' DATABASE_STATEMENT_TIMEOUT_MS limits the time of a statement.',
};

/** Warnings about parameters of a valid URL, such as those that only Prisma's engine or libpq has. */
export function findIneffectiveParameters(url: string): string[] {
  const { searchParams } = new URL(url);
  const names = [...new Set(searchParams.keys())].filter((name) => !effective.test(name));
  // The rest of a password with an "&" would look like a parameter.
  if (names.length > 0 && searchParams.has('password')) return ['DATABASE_URL has parameters that have no effect.'];
  return names.map((name) => `The parameter ${name} of DATABASE_URL has no effect.${instead[name] ?? ''}`);
}
