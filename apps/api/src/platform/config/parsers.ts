import { isIP } from 'node:net';
import { withSessionSettings } from '@petstore/migrate/session-settings.js';
import { parseIntoClientConfig } from 'pg-connection-string';

/** The message continues a sentence that starts with the name of the variable. It never contains a secret. */
export class InvalidSetting extends Error {}

/**
 * Parses the text of a variable.
 * @throws InvalidSetting
 */
export type Parse<Value> = (text: string) => Value;

/** Quotes an invalid value for a message. Do not use it for secrets. The text before "@" may be a password. */
function shown(text: string): string {
  const visible = text.replace(/^.*@/s, '…@');
  return JSON.stringify(visible.length > 80 ? `${visible.slice(0, 80)}…` : visible);
}

export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidSetting(`must be an integer from ${min} to ${max}, not ${shown(text)}`);
  };
}

export function oneOf<const Value extends string>(values: readonly Value[]): Parse<Value> {
  return (text) => {
    const chosen = values.find((value) => value === text);
    if (chosen !== undefined) return chosen;
    throw new InvalidSetting(`must be one of ${values.join(', ')}, not ${shown(text)}`);
  };
}

export const boolean: Parse<boolean> = (text) => oneOf(['true', 'false'])(text) === 'true';

export const host: Parse<string> = (text) => {
  // Digits and dots alone are an IPv4 address, not a name.
  const isName = !/^[\d.]+$/.test(text) && /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i.test(text);
  if (isName || isIP(text) !== 0) return text;
  throw new InvalidSetting(
    `must be an IP address or a host name, such as 0.0.0.0 for all addresses, not ${shown(text)}`,
  );
};

/** No shell reads a setting: a `DATA_DIR` of `~/store` or `"/srv/store"` would be a second, empty store. */
export const localPath: Parse<string> = (text) => {
  if (!/\p{Cc}|^[\s"'~]|[\s"']$|^[a-z][a-z\d+.-]+:/iu.test(text)) return text;
  throw new InvalidSetting(
    'must be a path without control characters, without quotation marks or spaces at its ends, and without "~" or a ' +
      `scheme such as s3: at its beginning, not ${shown(text)}`,
  );
};

const minDistinctCharacters = 10;

export const bootstrapKey: Parse<string> = (text) => {
  if (/^[\x21-\x7e]{24,}$/.test(text) && new Set(text).size >= minDistinctCharacters) return text;
  throw new InvalidSetting(
    `must have 24 or more visible ASCII characters, at least ${minDistinctCharacters} of them distinct. ` +
      'For example the output of openssl rand -hex 32',
  );
};

const urlRule =
  'must be a PostgreSQL URL such as postgresql://user:password@host:5432/database, with special characters in the ' +
  'password percent-encoded: @ as %40, / as %2F, ? as %3F, # as %23, % as %25';

/** The rest of a password with a "/", "?" or "#" would be taken for the database or a parameter, which messages show. */
const hasEscapedPassword = /^postgres(ql)?:\/\/[^/?#]*([/?#][^@]*)?$/;

/** Accepts what pg accepts, and can read the files of a TLS connection. */
export const postgresUrl: Parse<string> = (text) => {
  if (!hasEscapedPassword.test(text)) throw new InvalidSetting(urlRule);
  // `new URL` requires a host after a user. pg requires none: a parameter can name a socket.
  const url = text.replace('@/', '@localhost/');
  try {
    const { port = 5432 } = parseIntoClientConfig(withSessionSettings(url));
    // pg accepts any number, and then never ends the connection.
    if (port < 1 || port > 65_535) throw new InvalidSetting(`Invalid port: ${port}`);
    return url;
  } catch (error) {
    throw new InvalidSetting(`is not valid (${(error as Error).message}). It ${urlRule}`);
  }
};

export const baseUrl: Parse<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Everybody can read the OpenAPI document, which contains the URL.
  const isPublic = url && url.username + url.password + url.search + url.hash === '';
  if (isPublic && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1')) return url.href;
  throw new InvalidSetting(
    'must be an http or https URL that ends in /v1, without user name, password and query, such as ' +
      `https://api.example.com/v1, not ${shown(text)}`,
  );
};

export const origins: Parse<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !URL.canParse(part) || new URL(part).origin !== part || part.includes('*'));
  if (bad === undefined) return list;
  throw new InvalidSetting(
    'must be a list of origins in lower case, without user names, paths, slashes at the end or wildcards, such as ' +
      `https://shop.example.com,http://localhost:5173, not ${shown(bad)}`,
  );
};

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/** The proxies, as Fastify takes them. */
export const trustedProxies: Parse<string[]> = (text) => {
  const list = text.split(',').map((part) => part.trim());
  const bad = list.find((part) => !proxyNames.includes(part) && !isCidr(part));
  if (bad === undefined) return list;
  const hops = 'A number of hops would let a client that reaches the port directly choose its address';
  throw new InvalidSetting(
    `must be a list of addresses, CIDRs or the names ${proxyNames.join(', ')}, such as loopback,10.0.0.0/8, not ` +
      `${shown(bad)}${/^[+-]?\d+$/.test(bad) ? `. ${hops}` : ''}`,
  );
};

function isCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}
